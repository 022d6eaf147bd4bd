// Handles on a link: arrows and squares that move it, rings that turn it, a ball that moves it along the picture.
//
//   gizmo = new Gizmo(player, {start, change, end})    called as a drag begins, goes on and ends
//   gizmo.place(origin, turn)                          origin [m], turn: quaternion x y z w; null hides the handles
//   gizmo.target                                       {origin, turn} while a handle is dragged, else null
//   gizmo.own                                          true: handles along the link's axes, false: along the world's
//   gizmo.turns                                        whether there are rings

const V = {
  add: (a, b) => a.map((x, k) => x + b[k]), sub: (a, b) => a.map((x, k) => x - b[k]), mul: (a, s) => a.map((x) => x * s),
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], size: (a) => Math.hypot(...a), unit: (a) => V.mul(a, 1 / (Math.hypot(...a) || 1)),
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
};

/** Quaternion of a turn by `angle` about the unit vector `axis`. */
const turnAbout = (axis, angle) => [...V.mul(axis, Math.sin(angle / 2)), Math.cos(angle / 2)];

/** The turn b, then a. */
function turned(a, b) {
  const [u, v] = [a.slice(0, 3), b.slice(0, 3)];
  return [...V.add(V.add(V.mul(v, a[3]), V.mul(u, b[3])), V.cross(u, v)), a[3] * b[3] - V.dot(u, v)];
}

/** Columns of the rotation of a quaternion: the axes of the turned frame. */
function axesOf([x, y, z, w]) {
  return [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
}

const COLORS = [[0.86, 0.21, 0.2], [0.2, 0.62, 0.24], [0.17, 0.42, 0.9]]; // x y z
const BRIGHT = [1, 0.78, 0.1, 1];
const [ARROW, SQUARE, RING, BALL] = [92, 30, 68, 9]; // lengths on the screen [pixels]
const NEAR = { mouse: 9, pen: 12, touch: 20 }; // how far beside a handle still takes it [pixels]
const EDGE_ON = 0.2; // sine between ray and plane below which a ring is turned along the screen instead

class Gizmo {
  constructor(player, calls) {
    Object.assign(this, { player, calls, origin: null, turn: [0, 0, 0, 1], target: null, own: false, turns: true, lit: null, held: null });
    player.overlay((pen) => this.draw(pen));
    player.onPointer((kind, x, y, event) => this[kind](x, y, event));
  }

  place(origin, turn) {
    this.origin = origin;
    if (turn) this.turn = turn;
    this.player.redraw();
  }

  /** Where the handles are: at the target while one is dragged. */
  get now() { return this.target || { origin: this.origin, turn: this.turn }; }
  get axes() { return this.own ? axesOf(this.now.turn) : [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; }

  /** Length [m] of a pixel at the handles. */
  pixel(point) {
    const { camera } = this.player;
    return camera.pixel(point);
  }

  /** All handles: {name, kind, k, points}: points in the world joined by lines. */
  handles() {
    const { origin } = this.now, axes = this.axes, s = this.pixel(origin), at = (k, a, l = 0, b = 0) =>
      V.add(origin, V.add(V.mul(axes[k], a * s), V.mul(axes[l], b * s)));
    const found = [{ name: "ball", kind: "ball", points: [origin, origin] }];
    axes.forEach((axis, k) => {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3], low = SQUARE * 0.55, round = [];
      for (let n = 0; n <= 48; n++) round.push(at(i, RING * Math.cos(n * Math.PI / 24), j, RING * Math.sin(n * Math.PI / 24)));
      found.push({ name: `arrow ${k}`, kind: "arrow", k, points: [at(k, 14), at(k, ARROW)] });
      found.push({ name: `square ${k}`, kind: "square", k, points: [at(i, low, j, low), at(i, SQUARE, j, low), at(i, SQUARE, j, SQUARE), at(i, low, j, SQUARE), at(i, low, j, low)] });
      if (this.turns) found.push({ name: `ring ${k}`, kind: "ring", k, points: round });
    });
    return found;
  }

  draw(pen) {
    if (!this.origin) return;
    const { origin } = this.now, taken = this.held ? this.held.name : this.lit;
    for (const { name, kind, k, points } of this.handles()) {
      if (this.held && name !== taken) continue; // the others would hide what moves
      const color = name === taken ? BRIGHT : kind === "ball" ? [0.35, 0.38, 0.42, 1] : [...COLORS[k], 1];
      if (kind === "ball") pen.ball(origin, BALL, color);
      else if (kind === "arrow") pen.arrow(origin, this.axes[k], ARROW, color);
      else pen.lines(segments(points), color, kind === "ring" ? 2.6 : 2.2);
    }
    if (this.target && V.size(V.sub(this.target.origin, this.origin)) > 3 * this.pixel(origin)) {
      pen.lines([...this.origin, ...this.target.origin], [0.9, 0.35, 0.1, 1], 2); // what is missing to the target
      pen.ball(this.origin, 4, [0.9, 0.35, 0.1, 1]);
    }
  }

  /** The handle at a pixel, or null. */
  find(x, y, event) {
    if (!this.origin) return null;
    let best = null, least = NEAR[event.pointerType] || NEAR.mouse;
    for (const handle of this.handles()) {
      const flat = handle.points.map((point) => this.player.project(point));
      if (flat.some((point) => point[2] <= 0)) continue;
      for (let k = 1; k < flat.length; k++) {
        const far = distance([x, y], flat[k - 1], flat[k]) - (handle.kind === "ball" ? BALL : 0);
        if (far < least) [best, least] = [handle, far];
      }
    }
    return best;
  }

  hover(x, y, event) {
    const found = this.find(x, y, event), lit = found && found.name;
    if (lit !== this.lit) { this.lit = lit; this.player.redraw(); }
    return !!found;
  }

  down(x, y, event) {
    if (event.button || !this.origin) return false;
    const found = this.find(x, y, event);
    if (!found) return false;
    const axes = this.axes, { origin, turn } = this.now;
    const normal = found.kind === "ball" ? V.mul(this.player.ray(...this.player.project(origin)).direction, -1) : axes[found.k];
    this.held = { ...found, axes, origin, turn, normal, x, y };
    this.target = { origin, turn };
    this.held.grip = found.kind === "arrow" ? this.alongAxis(x, y) : this.onPlane(x, y);
    if (found.kind === "ring") this.grab();
    this.player.hover(null);
    this.calls.start();
    this.player.redraw();
    return true;
  }

  move(x, y) {
    const { held } = this;
    if (!held) return true;
    if (held.kind === "ring") this.rotate(x, y);
    else {
      const place = held.kind === "arrow" ? this.alongAxis(x, y) : this.onPlane(x, y);
      if (place && held.grip) this.target = { origin: V.add(held.origin, V.sub(place, held.grip)), turn: held.turn };
    }
    this.calls.change(this.target, held.kind === "ring");
    this.player.redraw();
    return true;
  }

  up() {
    this.held = this.target = null;
    this.calls.end();
    this.player.redraw();
    return true;
  }

  /** The point of the held axis nearest to the ray through a pixel; null where both are almost parallel. */
  alongAxis(x, y) {
    const { origin: eye, direction } = this.player.ray(x, y), { origin, axes, k } = this.held, axis = axes[k];
    const same = V.dot(axis, direction), way = V.sub(eye, origin), rest = 1 - same * same;
    if (rest < 1e-3) return null;
    return V.add(origin, V.mul(axis, (V.dot(way, axis) - same * V.dot(way, direction)) / rest));
  }

  /** The point of the held plane at a pixel; null where it is seen from its edge. */
  onPlane(x, y) {
    const { origin: eye, direction } = this.player.ray(x, y), { origin, normal } = this.held, steep = V.dot(direction, normal);
    if (Math.abs(steep) < 0.02) return null;
    const far = V.dot(V.sub(origin, eye), normal) / steep;
    return far > 0 ? V.add(eye, V.mul(direction, far)) : null;
  }

  /** Remembers how the held ring turns with the pointer. */
  grab() {
    const { held } = this, { direction } = this.player.ray(held.x, held.y);
    held.flat = Math.abs(V.dot(direction, held.normal)) < EDGE_ON || !held.grip;
    if (!held.flat) { held.angle = 0; held.last = V.sub(held.grip, held.origin); return; }
    const s = this.pixel(held.origin), middle = this.player.project(held.origin);
    // seen from its edge: a pixel along the screen, across the axis, turns by one over the radius
    const out = V.mul(V.unit(V.cross(held.normal, direction)), 20 * s), [a, b] = [middle, this.player.project(V.add(held.origin, out))];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    held.slide = [(b[0] - a[0]) / length / RING, (b[1] - a[1]) / length / RING];
  }

  rotate(x, y) {
    const { held } = this;
    if (held.flat) held.angle = -((x - held.x) * held.slide[0] + (y - held.y) * held.slide[1]);
    else {
      const place = this.onPlane(x, y);
      if (!place) return;
      const now = V.sub(place, held.origin); // step by step, so that more than half a turn is one
      held.angle += Math.atan2(V.dot(held.normal, V.cross(held.last, now)), V.dot(held.last, now));
      held.last = now;
    }
    this.target = { origin: held.origin, turn: turned(turnAbout(held.normal, held.angle), held.turn) };
  }
}

/** Points joined by lines as segments: six numbers each. */
function segments(points) {
  const found = [];
  for (let k = 1; k < points.length; k++) found.push(...points[k - 1], ...points[k]);
  return found;
}

/** Distance of a pixel from a segment. */
function distance(p, a, b) {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]], length = ux * ux + uy * uy;
  const t = length ? Math.min(Math.max(((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / length, 0), 1) : 0;
  return Math.hypot(p[0] - a[0] - t * ux, p[1] - a[1] - t * uy);
}
