// The demo: the dynamics of a robot, computed in this page as fast as it is drawn, with a slider for each joint.

const STEP = 1e-3; // of a simulation [s]
const LONGEST = 0.05; // time that a picture may stand for [s]: a page that was hidden does not catch up
const STIFF = 60, DAMP = 2 * Math.sqrt(STIFF); // of the error of the sliders' pose [1/s^2, 1/s]: critically damped
const DEGREES = 180 / Math.PI;

const make = (tag, parent, attributes, text) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
};

/** A number with so many digits, and no sign where all of them are zero. */
const fixed = (x, digits) => x.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");

class Demo {
  constructor(player, call, data, panel) {
    Object.assign(this, { player, call, data, held: true, running: true, before: null, steps: 0, spent: 0, speed: 0 });
    const n = data.joints.length, links = data.links;
    Object.assign(this, { n, target: Float64Array.from(data.q), tau: new Float64Array(n), wanted: new Float64Array(n), h: new Float64Array([STEP]) });
    this.next = { q_next: new Float64Array(n), qd_next: new Float64Array(n), qdd: new Float64Array(n), tau: new Float64Array(n) };
    this.matrices = new Float64Array(16 * links);
    this.poses = Float64Array.from(data.poses.flat());
    this.build(panel);
    this.reset();
    requestAnimationFrame((now) => this.frame(now));
  }

  reset() {
    this.q = Float64Array.from(this.data.q);
    this.qd = new Float64Array(this.n);
    this.time = 0;
    this.say("");
    this.start(true);
  }

  /** Torques that bring the robot to the sliders' pose: those of the acceleration of a damped spring, within the motors' limits. */
  control() {
    const { n, q, qd, target, wanted, tau, data } = this;
    if (!this.held) { tau.fill(0); return; }
    for (let k = 0; k < n; k++) wanted[k] = STIFF * (target[k] - q[k]) - DAMP * qd[k];
    this.call.inverse_dynamics(q, qd, wanted, tau);
    for (let k = 0; k < n; k++) {
      const most = data.joints[k].effort;
      if (most !== null) tau[k] = Math.min(Math.max(tau[k], -most), most);
    }
  }

  step() {
    this.control();
    this.call.semi_implicit_step(this.q, this.qd, this.tau, this.h, this.next);
    [this.q, this.next.q_next] = [this.next.q_next, this.q];
    [this.qd, this.next.qd_next] = [this.next.qd_next, this.qd];
    this.time += STEP;
    this.steps++;
  }

  frame(now) {
    const passed = this.before === null ? 1 / 60 : Math.min((now - this.before) / 1000, LONGEST);
    this.before = now;
    if (this.running) {
      const from = performance.now(), count = Math.max(1, Math.round(passed / STEP));
      try { for (let k = 0; k < count; k++) this.step(); } catch (error) {
        this.start(false);
        this.say(`${error.message}. Press “back to the start”.`);
      }
      const ms = performance.now() - from;
      this.cost = this.cost === undefined ? ms / count : 0.95 * this.cost + 0.05 * ms / count;
      this.rate = this.rate === undefined ? 1 / passed : 0.95 * this.rate + 0.05 / passed;
      this.draw();
      this.write();
    }
    requestAnimationFrame((later) => this.frame(later));
  }

  draw() {
    this.call.link_poses(this.q, this.matrices);
    for (let k = 0; k < this.data.links; k++) this.place(16 * k, 7 * (k + 1));
    this.player.showPoses({ poses: this.poses });
  }

  /** The pose of a link, a matrix row by row, as seven numbers. */
  place(at, to) {
    const m = this.matrices, p = this.poses, R = (i, j) => m[at + 4 * i + j];
    [p[to], p[to + 1], p[to + 2]] = [R(0, 3), R(1, 3), R(2, 3)];
    const [a, b, c] = [R(0, 0), R(1, 1), R(2, 2)];
    const squares = [1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c], largest = squares.indexOf(Math.max(...squares));
    const row = [
      [squares[0], R(0, 1) + R(1, 0), R(0, 2) + R(2, 0), R(2, 1) - R(1, 2)], [R(0, 1) + R(1, 0), squares[1], R(1, 2) + R(2, 1), R(0, 2) - R(2, 0)],
      [R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), squares[2], R(1, 0) - R(0, 1)], [R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1), squares[3]],
    ][largest];
    const size = Math.hypot(...row);
    for (let k = 0; k < 4; k++) p[to + 3 + k] = row[k] / size;
  }

  build(panel) {
    make("h1", panel, {}, this.data.title);
    make("p", panel, { class: "demo-about" }, this.data.about);
    const buttons = make("div", panel, { class: "demo-buttons" });
    const hold = make("label", buttons, {}), box = make("input", hold, { type: "checkbox", checked: "" });
    hold.append(" motors follow the sliders");
    box.onchange = () => { this.held = box.checked; };
    this.play = make("button", buttons, { type: "button" }, "pause");
    this.play.onclick = () => this.start(!this.running);
    make("button", buttons, { type: "button" }, "push").onclick = () => this.push();
    make("button", buttons, { type: "button" }, "back to the start").onclick = () => this.reset();
    const list = make("div", panel, { class: "demo-list" });
    this.rows = this.data.joints.map((joint, k) => this.row(list, joint, k));
    this.message = make("p", panel, { class: "demo-message", role: "status" });
    this.figures = make("p", panel, { class: "demo-figures" });
  }

  row(list, joint, k) {
    const row = make("div", list, { class: "demo-row" }), angle = joint.unit === "rad", factor = angle ? DEGREES : 1;
    make("label", row, { for: `demo-${k}`, title: joint.name }, joint.name);
    const slider = make("input", row, { id: `demo-${k}`, type: "range", min: joint.low, max: joint.high, step: "any", value: this.data.q[k] });
    const value = make("output", row, {}), torque = make("output", row, { class: "demo-torque" });
    slider.oninput = () => { this.target[k] = Number(slider.value); };
    return { slider, show: () => {
      value.textContent = `${fixed(this.q[k] * factor, angle ? 1 : 3)} ${angle ? "°" : joint.unit}`;
      torque.textContent = `${fixed(this.tau[k], 1)} ${joint.force}`;
    } };
  }

  /** Sudden velocities of a few joints. */
  push() {
    for (let k = 0; k < this.n; k++) if (Math.random() < 0.4) this.qd[k] += (Math.random() - 0.5) * (this.data.joints[k].unit === "rad" ? 4 : 0.5);
    this.start(true);
  }

  start(on) {
    this.running = on;
    this.before = null;
    this.play.textContent = on ? "pause" : "go on";
  }

  say(text) { this.message.textContent = text; }

  write() {
    for (const row of this.rows) row.show();
    const energy = this.call.kinetic_energy(this.q, this.qd)[0] + this.call.potential_energy(this.q)[0];
    this.figures.textContent = `${this.time.toFixed(1)} s simulated, ${this.rate.toFixed(0)} pictures a second, ${(1000 * this.cost).toFixed(1)} µs a step `
      + `(torques and acceleration), energy ${fixed(energy, 2)} J`;
  }
}

async function begin() {
  const data = JSON.parse(document.getElementById("demo-data").textContent), panel = document.querySelector(".demo-panel");
  try {
    const bytes = Uint8Array.from(atob(data.wasm), (c) => c.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes);
    const call = Object.fromEntries(data.functions.map((what) => [what.name, bind(instance.exports, what)]));
    lissom.demo = new Demo(lissom.players[0], call, data, panel);
  } catch (error) { make("p", panel, { class: "demo-message" }, `The demo does not run here: ${error.message}`); }
}

begin();
