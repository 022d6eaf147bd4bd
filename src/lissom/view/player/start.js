// The global object `lissom`, and the players of this page: each element .lissom-player holds its scene as JSON.

/** Colors of the picture, from the style sheet; white on paper. */
function themeOf(host, paper) {
  const style = getComputedStyle(host), read = (name) => style.getPropertyValue(name).trim().split(/\s+/).map(Number);
  const white = paper || matchMedia("print").matches;
  return {
    above: white ? [1, 1, 1] : read("--lissom-above"), below: white ? [1, 1, 1] : read("--lissom-below"),
    grid: read("--lissom-grid")[0], shadow: read("--lissom-shadow")[0],
  };
}

const lissom = {
  players: [],
  player: (host, scene, options) => new Player(host, scene, options),

  /** Same camera and same time in both; the longer motion leads and keeps its bar. */
  link(a, b) {
    const [leader, other] = b.duration > a.duration ? [b, a] : [a, b];
    other.pause();
    for (const [one, two] of [[a, b], [b, a]]) one.linked.push(two);
    other.leader = leader;
    const low = a.camera.low.map((x, k) => Math.min(x, b.camera.low[k]));
    const high = a.camera.high.map((x, k) => Math.max(x, b.camera.high[k]));
    for (const player of [a, b]) player.camera.frame(low, high);
    other.setTime(leader.time);
    other.controls.show();
    const pair = leader.element.closest(".lissom-pair");
    if (pair && pair.contains(other.element)) pair.append(leader.controls.bar); // one bar below both
    for (const player of [a, b]) player.redraw();
  },

  /** Makes the players of all elements of the page that wait for one, and links those that stand side by side. */
  start() {
    const pairs = new Map();
    for (const host of document.querySelectorAll(".lissom-player:not([data-started])")) {
      const data = host.querySelector('script[type="application/json"]');
      if (!data) continue;
      host.dataset.started = "";
      const scene = JSON.parse(data.textContent), pair = host.closest(".lissom-pair");
      const player = lissom.player(host, scene, { whole: host.dataset.whole !== undefined });
      if (pairs.has(pair)) lissom.link(pairs.get(pair), player); else if (pair) pairs.set(pair, player);
    }
  },
};
window.lissom = lissom;
lissom.start();
