// Draw the curves of the page, each beside its data, and tie them to the first player where there is one.
"use strict";
lissom.curves = [];
for (const element of document.querySelectorAll(".curves[data-of]")) {
  const curves = new lissom.Curves(element, JSON.parse(document.getElementById(element.dataset.of).textContent));
  lissom.curves.push(curves);
  const player = lissom.players?.[Number(element.dataset.player)]; // "none" is not a number
  if (player) curves.follow(player);
}
