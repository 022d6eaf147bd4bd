// The player: puts a scene into an element of the page, keeps the time, and draws when something has changed.
//
//   player = lissom.player(element, scene, options)    scene: JSON of lissom/view/scene/data.py, as an object
//     options: {whole: the player fills the page, play: start at once (not where reduced motion is asked for), loop: true}
//   player.time, .duration, .playing, .speed, .loop    [s]; the first frame's time need not be 0
//   player.setTime(t), .play(), .pause(), .toggle(), .step(n frames)
//   player.onTime(callback)                            called with the time whenever it changes
//   player.bodyPose(name) -> 16 numbers, by columns    the body in the world at the shown time
//   player.project([x, y, z]) -> [x, y, depth]         pixels from the canvas's upper left corner; depth before the eye [m]
//   player.ray(x, y) -> {origin, direction}            through a pixel, in the world
//   player.pick(x, y) -> name | null
//   player.pickThing(x, y) -> {kind: "part" | "arrow" | "span", index, name, body, layer, value} | null
//   player.setLayer(key, shown), .home(), .look(axis), .fullScreen(), .picture()
//   player.camera (see camera.js), .canvas, .element, .scene
//   player.showPoses({poses: 7 numbers per body, arrows: 6 per arrow})     new places at once, for live views (flat arrays)
//   player.overlay(draw)                               draw(pen) after each picture (see pen.js); redraw() after changes
//   player.onPointer(take)                             before the camera: take("down", x, y, event) returns true to take the
//                                                      gesture, then gets "move" and "up"; "hover" while nothing is down
//   player.destroy()                                   leaves the page as it was
//   lissom.players: all players of the page; lissom.link(a, b): same time (the longer one leads) and same camera

class Player extends Screen {
  constructor(host, data, options = {}) {
    super();
    this.scene = decodeScene(data);
    this.element = host;
    this.whole = !!options.whole;
    host.classList.add("lissom-player");
    host.classList.toggle("lissom-whole", this.whole);
    const help = "Arrow keys turn, with shift they move, plus and minus zoom, space plays.";
    const label = `3-D view of ${this.scene.name || "a scene"}. ${help}`;
    this.view = element("div", { parent: host, class: "lissom-view" }); // the canvas and what lies on it
    this.canvas = element("canvas", { parent: this.view, tabindex: 0, role: "img", "aria-label": label });
    this.motion = new Motion(this.scene);
    this.things = new Things(this.scene, this.motion);
    this.camera = new Camera(this.scene);
    this.time = this.motion.start;
    Object.assign(this, { speed: 1, loop: options.loop !== false, playing: false, spent: 0 });
    Object.assign(this, { listeners: [], overlays: [], linked: [] });
    this.pace = new Pace();
    this.measure();
    this.input = new Input(this);
    this.controls = new Controls(this);
    this.panels = new Panels(this);
    this.watch();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (options.play !== undefined ? options.play : !calm && this.duration > 0) this.play();
    lissom.players.push(this);
  }

  get duration() { return this.motion.end - this.motion.start; }

  /** Asks for a picture. While nothing asks, nothing is computed. */
  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame((now) => { this.waiting = 0; this.tick(now); });
  }

  tick(now) {
    if (this.playing) {
      const gap = now - this.before;
      this.before = now;
      this.advance(Math.min(gap / 1000, 0.25) * this.speed);
      if (!this.away && this.pace.note(gap)) this.resize();
      this.redraw();
    }
    if (!this.away) this.draw();
  }

  advance(passed) {
    const { start, end } = this.motion;
    let t = this.time + passed;
    if (t >= end) {
      if (this.loop && end > start) t = start + (t - end) % (end - start);
      else { t = end; this.pause(); }
    }
    this.setTime(t);
  }

  draw() {
    if ((this.paper && this.copy) || !this.ready()) return;
    if (this.copy) { this.copy.remove(); this.copy = null; }
    const from = performance.now();
    if (this.placed !== this.time) { this.motion.show(this.time); this.things.place(); this.placed = this.time; }
    this.theme = this.theme || themeOf(this.element, this.paper);
    this.stage.draw(this.camera, this.theme, { hover: this.lit || 0, overlays: this.overlays, ...this.pace.choice });
    this.panels.show();
    if (this.lit) this.panels.point(this.things.describe(this.lit), this.asked); // its value may have changed
    this.spent = performance.now() - from; // of our own work [ms]; the GPU's comes later
    this.drawn = (this.drawn || 0) + 1;
  }

  setTime(t) {
    const time = clamp(Number(t), this.motion.start, this.motion.end);
    if (Number.isNaN(time) || time === this.time) return;
    this.time = time;
    this.controls.show();
    for (const call of this.listeners) call(time);
    if (!this.leader) for (const other of this.linked) other.setTime(time);
    this.stir();
    this.redraw();
  }

  play() {
    if (this.leader) { this.leader.play(); return; }
    if (!(this.duration > 0)) return;
    if (this.time >= this.motion.end) this.setTime(this.motion.start);
    this.playing = true;
    this.pace.begin(this.stage);
    this.before = performance.now();
    this.controls.show();
    this.redraw();
  }

  pause() {
    if (this.leader) this.leader.pause();
    this.playing = false;
    this.controls.show();
    if (this.pace.level) this.sharpen();
  }

  /** Something moves by hand: where the processor draws, pictures that follow soon matter more than good ones. */
  stir() {
    if (this.playing || !this.stage || !this.stage.slow) return;
    if (!this.pace.level) this.pace.begin(this.stage);
    this.sharpen();
  }

  /** The picture as it should be, once nothing moves. */
  sharpen() {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      this.later = 0;
      if (this.playing) return;
      this.pace.rest();
      this.resize();
      this.redraw();
    }, 250);
  }

  toggle() {
    if ((this.leader || this).playing) this.pause(); else this.play();
  }

  /** Pauses and goes to the frame `n` frames on. */
  step(n) {
    if (this.leader) { this.leader.step(n); return; }
    this.pause();
    const { times: all } = this.motion, near = this.motion.frameAt(this.time);
    const off = this.time > all[near] && n < 0 ? 1 : 0; // between two frames the first step back goes to the one before
    this.setTime(all[clamp(near + n + off, 0, all.length - 1)]);
  }

  onTime(callback) { this.listeners.push(callback); }
  overlay(draw) { this.overlays.push(draw); this.redraw(); }
  onPointer(take) { this.input.takers.push(take); }

  /** The camera was moved by hand. */
  moved() {
    for (const other of this.linked) { other.camera.set(this.camera.state); other.stir(); other.redraw(); }
    this.stir();
    this.redraw();
  }

  home() { this.enclose(); this.camera.home(); this.moved(); }
  look(axis) { this.enclose(); this.camera.look(axis); this.moved(); }

  setLayer(key, shown) { this.things.shown[key] = !!shown; this.redraw(); }

  showPoses(places) {
    this.pause();
    this.given = true;
    this.motion.replace(places);
    this.things.place();
    this.placed = this.time;
    this.stir();
    this.redraw();
  }

  bodyPose(name) {
    const body = this.scene.bodies.indexOf(name);
    if (body < 0) throw new Error(`the scene has no body ${name}`);
    if (this.placed !== this.time) { this.motion.show(this.time); this.things.place(); this.placed = this.time; }
    return Array.from(this.motion.matrix(body));
  }

  project(point) { return this.camera.project(point); }
  ray(x, y) { return this.camera.ray(x, y); }

  pickThing(x, y) {
    if (!this.stage || this.lost || this.parked) return null;
    const number = this.stage.pick(this.camera, x, y);
    return number ? { ...this.things.describe(number), number } : null;
  }

  pick(x, y) { const thing = this.pickThing(x, y); return thing && thing.name; }

  /** Shows the name of what is at a pixel, once a frame at most; null: of nothing. */
  hover(place) {
    this.asked = place;
    if (this.asking) return;
    this.asking = requestAnimationFrame(() => {
      this.asking = 0;
      const thing = this.asked && this.pickThing(...this.asked), lit = thing ? thing.number : 0;
      this.panels.point(thing, this.asked);
      this.canvas.classList.toggle("named", !!thing);
      if (lit !== this.lit) { this.lit = lit; this.redraw(); }
    });
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.fullscreenEnabled) this.element.requestFullscreen();
  }

  /** Offers the picture as a PNG file, with all that a still one has, also while the motion plays. */
  picture() {
    const level = this.pace.level;
    this.pace.rest();
    this.resize();
    this.draw();
    this.canvas.toBlob((blob) => {
      const link = element("a", { href: URL.createObjectURL(blob), download: `${this.scene.name || "scene"}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    if (!this.playing) return;
    this.pace.level = level;
    this.resize();
  }

  destroy() {
    this.pause();
    this.stop.abort();
    this.sizes.disconnect();
    this.sight.disconnect();
    cancelAnimationFrame(this.waiting);
    clearTimeout(this.later);
    leave(this);
    if (this.stage && this.stage.lose) this.stage.lose.loseContext();
    this.element.replaceChildren();
    lissom.players.splice(lissom.players.indexOf(this), 1);
  }
}
