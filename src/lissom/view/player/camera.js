// A camera on a sphere around its target: azimuth and elevation about the scene's up vector, distance, perspective.

const FIELD = 0.6; // vertical angle of view [rad]
const FILL = 0.96; // of the picture by the box around the motion, whose corners are empty
const NARROW = 480, BAR = 92, SHARE = 0.2; // [px] width of a phone; height of its title and buttons, at most a share of all
const HOME = { azimuth: -0.95, elevation: 0.33 };

class Camera {
  constructor(scene) {
    this.up = unit(scene.up || [0, 0, 1]);
    [this.east, this.north] = across(this.up);
    this.width = this.height = 1;
    this.reach = 0; // of all that is drawn, ground included; set by the player
    this.frame(scene.low, scene.high);
  }

  /** Looks at the box between two corners. */
  frame(low, high) { this.enclose(low, high); this.home(); }

  /** What `home`, `look` and `fit` show from now on. */
  enclose(low, high) {
    this.low = low;
    this.high = high;
    this.radius = Math.max(norm(sub(high, low)) / 2, 1e-3);
    this.reach = Math.max(this.reach, this.radius);
  }

  home() { Object.assign(this, HOME); this.fit(); }

  /** Unit vectors: to the right, upward in the picture, toward the viewer. */
  axes() {
    const [ca, sa, ce, se] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.elevation), Math.sin(this.elevation)];
    const right = add(times(this.east, -sa), times(this.north, ca));
    const back = add(times(add(times(this.east, ca), times(this.north, sa)), ce), times(this.up, se));
    return [right, cross(back, right), back];
  }

  get eye() { return add(this.target, times(this.axes()[2], this.distance)); }

  /** Height [px] of the title and the buttons over a narrow picture; in wide ones they are beside the motion. */
  get bar() {
    return this.width <= NARROW && this.height > 0.8 * this.width ? Math.min(BAR, SHARE * this.height) : 0;
  }

  /** Looks at the middle of the corners `low` and `high`, from as near as all eight fit in below the bar. */
  fit() {
    this.target = times(add(this.low, this.high), 0.5);
    const [right, top, back] = this.axes();
    // the box fills the height below the bar: there rise / distance is from -lower to upper, and at the target -middle
    const half = Math.tan(FIELD / 2), middle = half * this.bar / this.height, tall = (half - middle) * FILL;
    const wide = half * FILL * this.width / this.height, upper = tall - middle, lower = tall + middle;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = [0, 1, 2].map((i) => ((k >> i) & 1 ? this.high[i] : this.low[i]) - this.target[i]);
      const depth = dot(corner, back), rise = dot(corner, top);
      distance = Math.max(distance, depth + Math.abs(dot(corner, right)) / wide, (rise + upper * depth) / tall,
        (lower * depth - rise) / tall);
    }
    this.distance = Math.max(distance, 1e-3);
    this.target = add(this.target, times(top, middle * this.distance));
    this.fitted = true;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    if (this.fitted) this.fit(); // as long as nobody moved it
  }

  orbit(dx, dy) {
    this.azimuth -= dx;
    this.elevation = clamp(this.elevation + dy, -Math.PI / 2, Math.PI / 2);
    this.fitted = false;
  }

  /** Moves the target so that the picture follows by dx, dy pixels. */
  pan(dx, dy) {
    const pixel = 2 * Math.tan(FIELD / 2) * this.distance / this.height, [right, top] = this.axes();
    this.target = add(this.target, add(times(right, -dx * pixel), times(top, dy * pixel)));
    this.fitted = false;
  }

  zoom(factor) {
    this.distance = clamp(this.distance * factor, this.radius / 200, this.radius * 60);
    this.fitted = false;
  }

  /** Looks along an axis of the world, from its positive side. */
  look(direction) {
    const flat = [dot(direction, this.east), dot(direction, this.north)], rise = dot(direction, this.up);
    this.elevation = Math.asin(clamp(rise, -1, 1));
    this.azimuth = Math.hypot(...flat) > 1e-6 ? Math.atan2(flat[1], flat[0]) : -Math.PI / 2;
    this.fit();
  }

  view() {
    const [right, top, back] = this.axes(), eye = this.eye;
    return new Float64Array([
      right[0], top[0], back[0], 0, right[1], top[1], back[1], 0, right[2], top[2], back[2], 0,
      -dot(right, eye), -dot(top, eye), -dot(back, eye), 1]);
  }

  projection() {
    const f = 1 / Math.tan(FIELD / 2), far = this.distance + 3 * this.reach;
    const near = Math.max(this.distance / 100, this.distance - 3 * this.reach);
    return new Float64Array([f * this.height / this.width, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
      0, 0, 2 * far * near / (near - far), 0]);
  }

  /** Projection times view: from the world [m] to clip coordinates. */
  matrix() { return multiply(this.projection(), this.view()); }

  /** [x, y, depth]: pixels of the canvas from its upper left corner, and the distance in front of the camera [m]. */
  project(point) {
    const [x, y, , w] = transform(this.matrix(), point);
    return [(x / w + 1) / 2 * this.width, (1 - y / w) / 2 * this.height, w];
  }

  /** Length [m] of one pixel at a point. */
  pixel(point) { return 2 * Math.tan(FIELD / 2) * Math.max(this.project(point)[2], 1e-6) / this.height; }

  /** Ray through a pixel: {origin, direction}, the direction a unit vector. */
  ray(x, y) {
    const [right, top, back] = this.axes(), tall = Math.tan(FIELD / 2), wide = tall * this.width / this.height;
    const side = times(right, (2 * x / this.width - 1) * wide), rise = times(top, (1 - 2 * y / this.height) * tall);
    return { origin: this.eye, direction: unit(sub(add(side, rise), back)) };
  }

  /** What `set` takes: for linked players and saved views. */
  get state() { return { target: this.target, azimuth: this.azimuth, elevation: this.elevation, distance: this.distance }; }
  set(state) { Object.assign(this, state); this.fitted = false; }
}
