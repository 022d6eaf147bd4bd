// What lives on the GPU: programs, and the buffers of forms.

const SHADOW_SIZE = 2048;

class Program {
  constructor(gl, vertex, fragment) {
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    }
    for (const [name, slot] of Object.entries(SLOTS)) gl.bindAttribLocation(program, slot, name);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
    this.program = program;
    this.at = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) || 0;
    for (let k = 0; k < count; k++) {
      const { name } = gl.getActiveUniform(program, k);
      this.at[name] = gl.getUniformLocation(program, name);
    }
  }
}

// Attributes have the same places in all programs. Every program reads 0, without which drivers are slow.
const SLOTS = { position: 0, corner: 0, normal: 1, tint: 2, first: 3, second: 4 };
const FLOATS16 = new Float32Array(16), FLOATS9 = new Float32Array(9);

function setMatrix(gl, place, matrix) {
  FLOATS16.set(matrix);
  gl.uniformMatrix4fv(place, false, FLOATS16);
}

/** Surface: sixteen bytes per vertex (place u16, normal i8, color u8, each padded to four). */
function uploadTriangles(gl, form) {
  const count = form.vertices.length / 3, bytes = new ArrayBuffer(16 * count);
  const places = new Uint16Array(bytes), normals = new Int8Array(bytes), colors = new Uint8Array(bytes);
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < 3; k++) {
      places[8 * v + k] = form.vertices[3 * v + k];
      if (form.normals) normals[16 * v + 8 + k] = form.normals[3 * v + k];
      if (form.colors) colors[16 * v + 12 + k] = form.colors[3 * v + k];
    }
  }
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
  return { buffer, flat: !form.normals, colored: !!form.colors, ...uploadFaces(gl, buffer, form.faces) };
}

/** Faces of a surface whose vertices are on the GPU already. */
function uploadFaces(gl, buffer, faces) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  const layout = [[0, gl.UNSIGNED_SHORT, false, 0], [1, gl.BYTE, true, 8], [2, gl.UNSIGNED_BYTE, true, 12]];
  for (const [slot, type, fraction, offset] of layout) {
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, 3, type, fraction, 16, offset);
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return { vao, count: faces.length, type: faces instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT };
}

/** Lines: one instance per segment. `points` may be written anew with `writeLines`. */
function uploadLines(gl, form) {
  const vao = gl.createVertexArray(), corners = gl.createBuffer(), points = gl.createBuffer();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindBuffer(gl.ARRAY_BUFFER, points);
  gl.bufferData(gl.ARRAY_BUFFER, form.points, gl.STATIC_DRAW);
  for (const [slot, offset] of [[3, 0], [4, 12]]) {
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 24, offset);
    gl.vertexAttribDivisor(slot, 1);
  }
  if (form.colors) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, form.colors, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 3, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.vertexAttribDivisor(2, 1);
  }
  gl.bindVertexArray(null);
  return { vao, points, count: form.points.length / 6, colored: !!form.colors };
}

/** The unit square, for background and floor. */
function uploadSquare(gl) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindVertexArray(null);
  return vao;
}

/** A depth texture that shaders compare with, and the framebuffer that fills it. */
function shadowTarget(gl) {
  const texture = gl.createTexture(), target = gl.createFramebuffer();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.LINEAR);
  for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { texture, target };
}

/** One pixel of color and depth: what lies under the pointer is drawn into it. */
function pickTarget(gl) {
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
    const store = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, store);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return target;
}

/** The name of the driver. Some browsers hide it behind an extension, others warn of that extension. */
function driverOf(gl) {
  const name = gl.getParameter(gl.RENDERER) || "";
  const hidden = name === "WebKit WebGL" && gl.getExtension("WEBGL_debug_renderer_info");
  return hidden ? gl.getParameter(hidden.UNMASKED_RENDERER_WEBGL) : name;
}
