// Forms made here rather than read: rod, cone and spring of size one, and where arrows and spans put them.

/** A body of revolution about z. Per ring `profile` has [radius <= 1, z from 0 to 1, radial part of the normal, its z]. */
function revolve(profile, sides = 24) {
  const vertices = [], normals = [], faces = [];
  profile.forEach(([r, z, nr, nz], row) => {
    for (let k = 0; k <= sides; k++) {
      const angle = 2 * Math.PI * k / sides, c = Math.cos(angle), s = Math.sin(angle);
      vertices.push((r * c + 1) / 2 * 65535, (r * s + 1) / 2 * 65535, z * 65535);
      normals.push(nr * c * 127, nr * s * 127, nz * 127);
      if (row && k < sides) {
        const b = row * (sides + 1) + k, a = b - sides - 1;
        faces.push(a, a + 1, b, a + 1, b + 1, b);
      }
    }
  });
  return {
    kind: "triangles", low: [-1, -1, 0], step: [2 / 65535, 2 / 65535, 1 / 65535],
    vertices: Uint16Array.from(vertices, Math.round), normals: Int8Array.from(normals, Math.round),
    faces: Uint16Array.from(faces), colors: null,
  };
}

const rodForm = () => revolve([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]]);
const coneForm = () => revolve([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 0.94, 0.34], [0, 1, 0.94, 0.34]]);

function ballForm() {
  const rings = Array.from({ length: 13 }, (_, k) => Math.PI * (k / 12 - 0.5));
  const form = revolve(rings.map((a) => [Math.cos(a), (Math.sin(a) + 1) / 2, Math.cos(a), Math.sin(a)]));
  return { ...form, low: [-1, -1, -1], step: [2 / 65535, 2 / 65535, 2 / 65535] };
}

/** A strip around a wire, `turns` times about the axis: the shader bends it into a spring (see SURFACE_VERTEX). */
function springForm(turns, around = 8) {
  const rows = Math.min(Math.max(turns, 1) * 28, 8000), vertices = [], faces = [];
  for (let i = 0; i <= rows; i++) {
    for (let j = 0; j <= around; j++) {
      vertices.push(i / rows * 65535, j / around * 65535, 0);
      if (i && j < around) {
        const b = i * (around + 1) + j, a = b - around - 1;
        faces.push(a, b, a + 1, a + 1, b, b + 1);
      }
    }
  }
  const normals = new Int8Array(vertices.length);
  return {
    kind: "triangles", low: [0, 0, 0], step: [1, 1, 1], vertices: Uint16Array.from(vertices, Math.round),
    normals, faces: Uint32Array.from(faces), colors: null,
  };
}

/** What an arrow is made of: [{form: "rod" | "cone", matrix}], nothing where its length is zero. `size`: radius of the scene. */
function arrowPieces(arrow, tail, size) {
  const vector = [tail[3], tail[4], tail[5]], start = [tail[0], tail[1], tail[2]], length = norm(vector) * arrow.scale;
  if (!(length > 1e-4 * size)) return [];
  const axis = unit(vector), head = Math.min(0.075 * size, 0.4 * length), radius = Math.min(0.0085 * size, 0.045 * length);
  const heads = arrow.unit.includes("m") ? 2 : 1, step = 0.62 * head, neck = length - head - (heads - 1) * step;
  const pieces = [{ form: "rod", matrix: along(start, axis, [radius, radius, Math.max(neck, 0.1 * head) + 0.1 * head]) }];
  for (let k = 0; k < heads; k++) {
    const at = add(start, times(axis, length - head - k * step));
    pieces.push({ form: "cone", matrix: along(at, axis, [2.7 * radius, 2.7 * radius, head]) });
  }
  return pieces;
}

/** Where a span stands: its matrix (a rod's with its length, a spring's without) and its length. */
function spanPlace(span, motion) {
  const [first, second] = [[span.first, span.first_point], [span.second, span.second_point]].map(
    ([body, point]) => transform(motion.matrix(body), point).slice(0, 3));
  const way = sub(second, first), length = norm(way), radius = span.radius;
  const scale = span.coils ? [1, 1, 1] : [radius, radius, length];
  return { matrix: along(first, unit(way), scale), length, middle: add(first, times(way, 0.5)) };
}
