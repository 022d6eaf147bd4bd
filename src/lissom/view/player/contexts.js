// Many players in one page: browsers keep some sixteen WebGL contexts and drop the oldest. Here few are alive, those in sight
// first; a player that is parked shows a copy of its last picture and wakes up when it is seen again.

const MOST = 8;
const awake = []; // players with a context, the one that was drawn longest ago first

/** Before drawing: makes room among the players that are awake, and notes that this one is drawn now. */
function enter(player) {
  leave(player);
  while (awake.length >= MOST) {
    const far = awake.find((other) => other.away);
    if (!far) break;
    leave(far);
    far.park();
  }
  awake.push(player);
}

function leave(player) {
  const at = awake.indexOf(player);
  if (at >= 0) awake.splice(at, 1);
}
