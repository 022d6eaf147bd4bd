// Everything that is drawn, as a flat list of things, each with a number by which the pointer finds it.
//
// A thing: {number, kind, form, matrix, color, layer, coil}; `form` is an index of a form, or "rod", "cone", "ball", or
// a spring's number of turns as "spring 5". `matrix` takes the form's own coordinates to the world.

const WIDTHS = { ground: 1, paths: 2.4, sticks: 4, axes: 2.6, frames: 2.4 }; // of lines [pixels], by layer
// seen through solids
const THROUGH = new Set(["axes", "frames", "com", "motors", "torques", "wrenches", "reactions", "ground_forces"]);
const UNFRAMED = new Set([...THROUGH, "ground", "obstacles"]); // the camera ignores them (scene/data.py)
const NO_COIL = [0, 0, 0, 0];

class Things {
  constructor(scene, motion) {
    this.scene = scene;
    this.motion = motion;
    this.size = Math.max(norm(sub(scene.high, scene.low)) / 2, 1e-3);
    this.shown = Object.fromEntries(scene.layers.map((layer) => [layer.key, layer.shown]));
    this.version = 0; // counts changes of places: shadows are drawn anew for each
    this.parts = scene.parts.map((part, k) => ({
      number: k + 1, kind: "part", form: part.form, color: part.color, layer: part.layer, name: part.name, body: part.body,
      lines: scene.forms[part.form].kind === "lines", width: WIDTHS[part.layer] || 1.8, coil: NO_COIL,
      local: poseMatrix(part.pose, 0, new Float64Array(16), 0, part.scale), matrix: new Float64Array(16),
    }));
    this.arrowsFrom = this.parts.length + 1;
    this.spansFrom = this.arrowsFrom + scene.arrows.length;
    this.moving = [];
    this.place();
  }

  /** Puts everything where it is at the shown time. */
  place() {
    const { scene, motion } = this;
    for (const part of this.parts) multiply(motion.matrix(part.body), part.local, part.matrix);
    this.moving = [];
    scene.arrows.forEach((arrow, n) => {
      for (const piece of arrowPieces(arrow, motion.tails[n], this.size)) {
        const { color, layer } = arrow;
        this.moving.push({ ...piece, number: this.arrowsFrom + n, kind: "arrow", color, layer, coil: NO_COIL });
      }
    });
    scene.spans.forEach((span, n) => {
      const { matrix, length } = spanPlace(span, motion), turns = Math.max(Math.round(span.coils), 0);
      const coil = turns ? [turns, span.radius, length, Math.min(0.22 * span.radius, 0.3 * length / turns)] : NO_COIL;
      const form = turns ? `spring ${turns}` : "rod";
      if (length > 0) {
        this.moving.push({ form, matrix, coil, number: this.spansFrom + n, kind: "span", color: span.color, layer: span.layer });
      }
    });
    this.version++;
  }

  /** The things of shown layers. */
  visible() { return [...this.parts, ...this.moving].filter((thing) => this.shown[thing.layer] !== false); }

  /** What a number stands for: {kind, name, body (name or null), layer, value (text or null)}. */
  describe(number) {
    const { scene, motion } = this;
    if (number >= this.spansFrom) {
      const n = number - this.spansFrom, span = scene.spans[n], { length } = spanPlace(span, motion);
      return { kind: "span", index: n, name: span.name, body: null, layer: span.layer, value: `length ${round(length)} m` };
    }
    if (number >= this.arrowsFrom) {
      const n = number - this.arrowsFrom, arrow = scene.arrows[n], size = norm(motion.tails[n].slice(3));
      return { kind: "arrow", index: n, name: arrow.name, body: null, layer: arrow.layer, value: `${round(size)} ${arrow.unit}` };
    }
    const part = scene.parts[number - 1], body = part.body > 0 ? scene.bodies[part.body] : null;
    const name = part.name || body || this.title(part.layer);
    return { kind: "part", index: number - 1, name, body, layer: part.layer, value: null };
  }

  title(key) {
    const layer = this.scene.layers.find((one) => one.key === key);
    return layer ? layer.title : key;
  }

  /** Corners of a part's form in its own coordinates. */
  corners(form) {
    if (form.kind === "triangles") {
      return [form.low, form.low.map((x, k) => x + 65535 * form.step[k])];
    }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < form.points.length; k++) {
      low[k % 3] = Math.min(low[k % 3], form.points[k]);
      high[k % 3] = Math.max(high[k % 3], form.points[k]);
    }
    return [low, high];
  }

  /** Calls `visit` with the eight corners, in the world, of every part that `choose` accepts. */
  eachCorner(choose, visit) {
    for (const part of this.parts.filter(choose)) {
      const ends = this.box(part.form);
      for (let k = 0; k < 8; k++) visit(transform(part.matrix, [0, 1, 2].map((i) => ends[(k >> i) & 1][i])));
    }
  }

  /** Whether a ray may meet a thing: false if it passes the ball around it. What is drawn at one pixel is then little. */
  meets(thing, { origin, direction }, slack) {
    const m = thing.matrix;
    let middle = [m[12], m[13], m[14]], radius;
    if (thing.coil[0]) {
      middle = add(middle, times([m[8], m[9], m[10]], thing.coil[2] / 2));
      radius = thing.coil[2] / 2 + 2 * thing.coil[1];
    } else {
      const [low, high] = this.box(thing.form), center = times(add(low, high), 0.5);
      middle = transform(m, center).slice(0, 3);
      radius = norm(sub(high, low).map((x, k) => x / 2 * Math.hypot(m[4 * k], m[4 * k + 1], m[4 * k + 2])));
    }
    return norm(cross(sub(middle, origin), direction)) <= radius + slack;
  }

  /** Corners of a form of the scene, or of a rod, cone or ball; each found once. */
  box(form) {
    this.boxes = this.boxes || new Map();
    if (typeof form !== "number") return [[-1, -1, form === "ball" ? -1 : 0], [1, 1, 1]];
    if (!this.boxes.has(form)) this.boxes.set(form, this.corners(this.scene.forms[form]));
    return this.boxes.get(form);
  }

  /** Height of the ground along `up`, or null where there is none or it is not flat. */
  ground(up) {
    let low = Infinity, high = -Infinity;
    this.eachCorner((part) => part.layer === "ground", (corner) => {
      low = Math.min(low, dot(corner, up));
      high = Math.max(high, dot(corner, up));
    });
    return high - low <= 0.02 * this.size ? high : null;
  }
}

/** A number with three digits that count. */
function round(x) {
  if (!Number.isFinite(x)) return "not a number";
  const size = Math.abs(x);
  return size >= 1000 || size === 0 ? x.toFixed(0) : x.toPrecision(3);
}
