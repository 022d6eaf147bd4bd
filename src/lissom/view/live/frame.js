// In a notebook: the served page in a frame, as long as its server answers; else the robot as it was, which needs no server.

const WAIT = 1500; // for the served page to say that it is there [ms]
const frame = document.querySelector("iframe");

const still = setTimeout(() => {
  document.body.append(document.querySelector("template").content);
  lissom.start();
}, WAIT);

window.addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.data !== "lissom live") return;
  clearTimeout(still);
  for (const player of lissom.players.slice()) player.destroy();
  for (const host of document.querySelectorAll(".lissom-player")) host.remove();
  frame.classList.add("there");
});
