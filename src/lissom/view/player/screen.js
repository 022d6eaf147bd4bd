// The canvas of a player: its size, its WebGL context with all that may happen to it, its place in the page, paper.

class Screen {
  /** How far all that is drawn reaches, for the camera's far plane. */
  reach() {
    const middle = times(add(this.camera.low, this.camera.high), 0.5);
    this.things.eachCorner(() => true, (corner) => {
      const reach = norm(sub(corner, middle));
      if (reach > this.camera.reach) this.camera.reach = reach;
    });
    return middle;
  }

  /** How far things reach, and how high the ground lies. */
  measure() {
    const middle = this.reach();
    this.ground = this.things.ground(this.camera.up);
    const foot = sub(middle, times(this.camera.up, dot(middle, this.camera.up) - (this.ground || 0)));
    let wide = 0; // half the diagonal of the ground: its lines fade out before it ends
    this.things.eachCorner((part) => part.layer === "ground", (corner) => { wide = Math.max(wide, norm(sub(corner, foot))); });
    this.edge = [...foot, this.ground === null ? 0 : wide * Math.SQRT1_2];
  }

  /** Where poses are given one by one, the scene's box is that of the first: takes that of the pose that is shown. */
  enclose() {
    if (!this.given) return;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    this.things.eachCorner((part) => !UNFRAMED.has(part.layer), (corner) => {
      for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], corner[k]); high[k] = Math.max(high[k], corner[k]); }
    });
    if (![...low, ...high].every(Number.isFinite)) return;
    this.camera.enclose(low, high);
    this.reach();
  }

  /** Starts WebGL, or says that it is missing. */
  open() {
    try {
      this.stage = new Stage(this.canvas, this.scene, this.things);
      this.stage.ground = this.ground;
      this.stage.edge = this.edge;
    } catch (error) {
      this.missing = true;
      const text = `This view needs WebGL 2, which this browser does not offer or has turned off (${error.message}).`;
      element("p", { parent: this.view, class: "lissom-missing", role: "alert", text });
      return;
    }
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      if (this.parked) this.redraw();
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = this.parked = false;
      this.stage.build();
      this.redraw();
    });
  }

  /** Whether it can draw now; asks for a context where it has none (see contexts.js). */
  ready() {
    if (this.missing || (!this.stage && awake.length >= MOST && this.away !== false)) return false; // later, when it is seen
    if (this.parked && this.away) return false;
    enter(this);
    if (!this.stage) this.open();
    if (this.parked && this.lost) this.stage.lose.restoreContext();
    return !!this.stage && !this.lost && !this.parked && !this.stage.gl.isContextLost();
  }

  /** Gives the context back; a copy of the picture stays. */
  park() {
    if (this.lost || this.parked || !this.stage.lose) return;
    this.keep();
    this.parked = true;
    this.stage.lose.loseContext();
  }

  /** A copy of the picture, over the canvas. */
  keep() {
    const { width, height } = this.canvas;
    if (this.copy) this.copy.remove();
    this.copy = element("canvas", { parent: this.view, class: "lissom-copy", width, height });
    this.copy.getContext("2d", { willReadFrequently: true }).drawImage(this.canvas, 0, 0);
  }

  /** Draws again when the size, the colors or the paper change, and not while out of sight. */
  watch() {
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.canvas);
    this.sight = new IntersectionObserver((entries) => {
      const was = this.away;
      this.away = !entries[entries.length - 1].isIntersecting;
      if (was || !this.drawn) this.redraw(); // came into sight
    });
    this.sight.observe(this.canvas);
    for (const query of ["(prefers-color-scheme: dark)", "print"]) {
      matchMedia(query).addEventListener("change", () => { this.theme = null; this.redraw(); }, { signal });
    }
    for (const [event, starts] of [["beforeprint", true], ["afterprint", false]]) {
      window.addEventListener(event, () => this.print(starts), { signal });
    }
    this.resize();
  }

  /** On paper a copy takes the canvas's place: browsers print what WebGL showed last, not what it has drawn since. */
  print(starts) {
    this.theme = null;
    this.paper = starts;
    if (!starts && this.copy && !this.parked) { this.copy.remove(); this.copy = null; }
    if (starts && !this.stage && !this.missing) { enter(this); this.open(); }
    this.draw();
    if (starts && this.stage && !this.lost && !this.parked) this.keep();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.pace.resolution;
    if (!width || !height) return;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)], { canvas, camera } = this;
    if (canvas.width === w && canvas.height === h && camera.width === width && camera.height === height) return;
    canvas.width = w;
    canvas.height = h;
    camera.resize(width, height);
    this.draw(); // at once: a canvas of a new size is blank
  }
}
