// Mouse, touch and keys on the canvas: turning, moving, zooming. Others may take a gesture before the camera does.

class Input {
  constructor(player) {
    this.player = player;
    this.takers = [];        // see player.onPointer
    this.held = new Map();   // pointers that are down: number -> [x, y]
    this.taker = null;
    const { canvas } = player;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => player.hover(null));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => player.home());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  place(event) {
    const box = this.player.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    const { player } = this, place = this.place(event);
    player.canvas.focus({ preventScroll: true });
    try { player.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer made by a script cannot be captured */ }
    if (!this.held.size) this.taker = this.takers.find((take) => take("down", ...place, event)) || null;
    this.held.set(event.pointerId, place);
    this.start = place;
    if (!this.taker) player.canvas.classList.add("held");
  }

  move(event) {
    const { player } = this, [x, y] = this.place(event), before = this.held.get(event.pointerId);
    if (this.taker) { this.taker("move", x, y, event); return; }
    if (!before) { for (const take of this.takers) take("hover", x, y, event); player.hover([x, y]); return; }
    player.hover(null);
    const dx = x - before[0], dy = y - before[1];
    if (this.held.size > 1) {
      const other = [...this.held].find(([number]) => number !== event.pointerId)[1];
      const [was, is] = [before, [x, y]].map((p) => Math.hypot(p[0] - other[0], p[1] - other[1]));
      if (is > 1) player.camera.zoom(clamp(was / is, 0.5, 2));
      player.camera.pan(dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey || event.ctrlKey) {
      player.camera.pan(dx, dy);
    } else {
      const turn = Math.PI / Math.max(player.camera.height, 200);
      player.camera.orbit(dx * turn, dy * turn);
    }
    this.held.set(event.pointerId, [x, y]);
    player.moved();
  }

  up(event) {
    const { player } = this, [x, y] = this.place(event);
    if (this.taker) this.taker("up", x, y, event);
    const still = this.start && Math.hypot(x - this.start[0], y - this.start[1]) < 5;
    const tap = event.pointerType === "touch" && event.type === "pointerup" && still;
    if (tap && !this.taker) player.hover([x, y]); // it asks for a name
    this.held.delete(event.pointerId);
    if (!this.held.size) { this.taker = null; player.canvas.classList.remove("held"); }
  }

  /** The wheel zooms where the player fills the page or has the focus; elsewhere the page scrolls. */
  wheel(event) {
    const { player } = this;
    if (!player.whole && !player.element.contains(document.activeElement) && !event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : 1;
    player.camera.zoom(Math.exp(clamp(event.deltaY * lines, -240, 240) * (event.ctrlKey ? 0.008 : 0.0015)));
    player.moved();
  }

  key(event) {
    const { player } = this, { camera } = player;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? (dx, dy) => camera.pan(40 * dx, 40 * dy) : (dx, dy) => camera.orbit(0.12 * dx, 0.12 * dy);
    const keys = {
      ArrowLeft: () => step(1, 0), ArrowRight: () => step(-1, 0), ArrowUp: () => step(0, 1), ArrowDown: () => step(0, -1),
      "+": () => camera.zoom(1 / 1.15), "=": () => camera.zoom(1 / 1.15), "-": () => camera.zoom(1.15),
      Home: () => player.home(), 0: () => player.home(),
      x: () => player.look([1, 0, 0]), y: () => player.look([0, 1, 0]), z: () => player.look([0, 0, 1]),
      " ": () => player.toggle(), ".": () => player.step(1), ",": () => player.step(-1), f: () => player.fullScreen(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    player.moved();
  }
}
