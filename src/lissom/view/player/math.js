// Vectors, quaternions (x y z w) and 4 x 4 matrices, stored by columns. Numbers are doubles; the GPU gets floats.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

function unit(a) {
  const length = norm(a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 1];
}

/** Two unit vectors that stand on the unit vector `axis`; the first lies as near as possible to x (or y, where axis is x). */
function across(axis) {
  const near = Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const first = unit(sub(near, times(axis, dot(near, axis))));
  return [first, cross(axis, first)];
}

/** Writes a * b into `out`, which is neither of them. */
function multiply(a, b, out = new Float64Array(16)) {
  for (let k = 0; k < 16; k += 4) {
    const x = b[k], y = b[k + 1], z = b[k + 2], w = b[k + 3];
    for (let i = 0; i < 4; i++) out[k + i] = a[i] * x + a[i + 4] * y + a[i + 8] * z + a[i + 12] * w;
  }
  return out;
}

/** Matrix with the columns x, y, z (three numbers each) and the origin. */
function frame(x, y, z, origin) {
  return new Float64Array([...x, 0, ...y, 0, ...z, 0, ...origin, 1]);
}

/** Writes the matrix of a pose (seven numbers from `start`) times diag(scale) into out[at..at+15]. */
function poseMatrix(pose, start, out, at, scale = [1, 1, 1]) {
  const [x, y, z, w] = [pose[start + 3], pose[start + 4], pose[start + 5], pose[start + 6]];
  const s = 2 / (x * x + y * y + z * z + w * w || 1), [sx, sy, sz] = scale;
  out[at] = (1 - s * (y * y + z * z)) * sx; out[at + 1] = s * (x * y + w * z) * sx; out[at + 2] = s * (x * z - w * y) * sx;
  out[at + 4] = s * (x * y - w * z) * sy; out[at + 5] = (1 - s * (x * x + z * z)) * sy; out[at + 6] = s * (y * z + w * x) * sy;
  out[at + 8] = s * (x * z + w * y) * sz; out[at + 9] = s * (y * z - w * x) * sz; out[at + 10] = (1 - s * (x * x + y * y)) * sz;
  out[at + 3] = out[at + 7] = out[at + 11] = 0;
  out[at + 12] = pose[start]; out[at + 13] = pose[start + 1]; out[at + 14] = pose[start + 2]; out[at + 15] = 1;
  return out;
}

/** Pose between two poses (seven numbers each): straight in position, at a constant rate of turning along the shorter way. */
function between(first, i, second, j, u, out, at) {
  for (let k = 0; k < 3; k++) out[at + k] = first[i + k] + u * (second[j + k] - first[i + k]);
  let same = 0;
  for (let k = 3; k < 7; k++) same += first[i + k] * second[j + k];
  const sign = same < 0 ? -1 : 1, angle = Math.acos(Math.min(Math.abs(same), 1));
  // below 1e-3 rad the chord differs from the arc by less than 1e-10
  const a = angle < 1e-3 ? 1 - u : Math.sin((1 - u) * angle) / Math.sin(angle);
  const b = sign * (angle < 1e-3 ? u : Math.sin(u * angle) / Math.sin(angle));
  for (let k = 3; k < 7; k++) out[at + k] = a * first[i + k] + b * second[j + k];
}

/** The point m * [p, 1], without division. */
function transform(m, p) {
  const out = [0, 0, 0, 0];
  for (let i = 0; i < 4; i++) out[i] = m[i] * p[0] + m[i + 4] * p[1] + m[i + 8] * p[2] + m[i + 12];
  return out;
}

/** Matrix whose z axis runs from `start` along the unit vector `axis`, scaled by `scale` along its own axes. */
function along(start, axis, scale) {
  const [x, y] = across(axis);
  return frame(times(x, scale[0]), times(y, scale[1]), times(axis, scale[2]), start);
}
