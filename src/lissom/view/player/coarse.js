// Fewer triangles, for motions where the processor draws: vertices of a cell are drawn as one. The vertices stay, only faces are
// new.

const CELL = 0.015; // size of a cell, of the scene's radius: some four pixels

/** Faces between vertices that stand for all of their cell with about the same normal. `cells`: its size in whole numbers. */
function coarseFaces(form, cells) {
  const { vertices, normals, faces } = form, first = new Map(), stand = new Uint32Array(vertices.length / 3);
  for (let v = 0; v < stand.length; v++) {
    let key = normals ? side(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]) : 0;
    for (let k = 0; k < 3; k++) key = key * 65536 + Math.floor(vertices[3 * v + k] / cells[k]);
    const found = first.get(key);
    if (found === undefined) first.set(key, v);
    stand[v] = found === undefined ? v : found;
  }
  const kept = [];
  for (let f = 0; f < faces.length; f += 3) {
    const a = stand[faces[f]], b = stand[faces[f + 1]], c = stand[faces[f + 2]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return faces.constructor.from(kept);
}

/** Which of the six directions along the axes is nearest: walls and edges keep their shades. */
function side(x, y, z) {
  const [a, b, c] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (a >= b && a >= c) return x < 0 ? 1 : 0;
  return b >= c ? (y < 0 ? 3 : 2) : (z < 0 ? 5 : 4);
}
