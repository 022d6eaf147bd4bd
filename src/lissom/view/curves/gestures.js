// Gestures on a panel: hover, click, drag, wheel, pinch, keys.
"use strict";

lissom.gestures = (curves, panel) => {
  const area = panel.svg, DRAG = 5; // pixels from which a press is a drag
  const fingers = new Map(); // pointer -> its place
  let pressed = null, pinched = null;

  area.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || panel.stale) return;
    fingers.set(event.pointerId, event.clientX);
    area.setPointerCapture(event.pointerId);
    if (fingers.size === 2) {
      pressed = null;
      panel.choose(null);
      pinched = { at: [...fingers.values()].map((x) => panel.timeAt(x)), start: curves.start, end: curves.end };
    } else pressed = { x: event.clientX, t: panel.timeAt(event.clientX), moved: false };
  });

  area.addEventListener("pointermove", (event) => {
    if (panel.stale) return;
    const t = panel.timeAt(event.clientX);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
    if (pinched && fingers.size === 2) return pinch();
    if (pressed && Math.abs(event.clientX - pressed.x) > DRAG) pressed.moved = true;
    if (event.pointerType === "touch") { // one finger moves the time
      if (pressed?.moved) curves.setTime(t);
      return;
    }
    curves.setHover(t);
    if (pressed?.moved) panel.choose(pressed.t, t);
  });

  // both fingers stay on the times that they took hold of
  function pinch() {
    const box = area.getBoundingClientRect(), scale = panel.width / box.width, [a, b] = [...fingers.values()];
    const [s, t] = pinched.at, edge = (panel.width - panel.inner - 8); // the left margin
    const x = (clientX) => ((clientX - box.left) * scale - edge) / panel.inner;
    if (Math.abs(x(a) - x(b)) < 0.02 || s === t) return;
    const span = Math.abs((t - s) / (x(b) - x(a))), start = s - x(a) * span;
    curves.setRange(start, start + span);
  }

  function release(event) {
    fingers.delete(event.pointerId);
    const was = pressed;
    if (fingers.size < 2) pinched = null;
    pressed = null;
    panel.choose(null);
    if (!was || event.type === "pointercancel" || panel.stale) return;
    const t = panel.timeAt(event.clientX);
    if (!was.moved) curves.setTime(t);
    else if (event.pointerType !== "touch") curves.setRange(was.t, t);
  }
  area.addEventListener("pointerup", release);
  area.addEventListener("pointercancel", release);
  area.addEventListener("pointerleave", () => curves.setHover(null));
  area.addEventListener("dblclick", () => curves.setRange(curves.first, curves.last));

  // the wheel scrolls the page, unless the panel was clicked or the wheel is a pinch of a touchpad, which holds Ctrl
  area.addEventListener("wheel", (event) => {
    if (panel.stale || !(event.ctrlKey || event.metaKey || document.activeElement === panel.figure)) return;
    event.preventDefault();
    curves.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * (event.ctrlKey ? 0.01 : 0.002)))), panel.timeAt(event.clientX));
  }, { passive: false });

  const keys = {
    ArrowLeft: (event) => curves.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => curves.step(event.shiftKey ? 10 : 1),
    Home: () => curves.setTime(curves.first),
    End: () => curves.setTime(curves.last),
    "+": () => curves.zoom(0.5, curves.time),
    "=": () => curves.zoom(0.5, curves.time),
    "-": () => curves.zoom(2, curves.time),
    0: () => curves.setRange(curves.first, curves.last),
    Escape: () => curves.setRange(curves.first, curves.last),
  };
  panel.figure.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== panel.figure) return;
    event.preventDefault();
    event.stopPropagation(); // the player has keys of its own
    act(event);
  });
};
