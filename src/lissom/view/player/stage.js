// Draws things with WebGL 2: background, shadows, surfaces, lines, what is transparent, overlays; and finds what is at a pixel.

class Stage {
  constructor(canvas, scene, things) {
    Object.assign(this, { canvas, scene, things });
    const kept = { preserveDrawingBuffer: true, powerPreference: "high-performance" }; // the picture is copied later, for paper
    this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, depth: true, ...kept });
    if (!this.gl) throw new Error("no WebGL 2");
    this.slow = SOFTWARE.test(driverOf(this.gl));
    this.lose = this.gl.getExtension("WEBGL_lose_context");
    this.build();
  }

  /** Makes everything that lives on the GPU: at first, and after the context was lost. */
  build() {
    const { gl } = this;
    this.programs = {
      surface: new Program(gl, SURFACE_VERTEX, SURFACE_FRAGMENT), line: new Program(gl, LINE_VERTEX, LINE_FRAGMENT),
      pickSurface: new Program(gl, SURFACE_VERTEX, PICK_FRAGMENT), pickLine: new Program(gl, LINE_VERTEX, PICK_FRAGMENT),
      sky: new Program(gl, SKY_VERTEX, SKY_FRAGMENT), floor: new Program(gl, FLOOR_VERTEX, FLOOR_FRAGMENT),
    };
    this.forms = new Map();
    this.square = uploadSquare(gl);
    this.shadow = shadowTarget(gl);
    this.picked = pickTarget(gl);
    this.loose = uploadLines(gl, { points: new Float32Array(6) }); // of overlays, written anew for each
    this.shadowVersion = -1;
  }

  /** How many triangles are drawn. */
  triangles() {
    const forms = this.things.visible().map((thing) => this.scene.forms[thing.form]);
    return forms.reduce((sum, form) => sum + (form && form.faces ? form.faces.length / 3 : 0), 0);
  }

  /** The buffers of a form, made when it is first drawn. */
  form(key) {
    if (!this.forms.has(key)) {
      const made = { rod: rodForm, cone: coneForm, ball: ballForm };
      const form = typeof key === "number" ? this.scene.forms[key]
        : made[key] ? made[key]() : springForm(Number(key.split(" ")[1]));
      const upload = form.kind === "lines" ? uploadLines : uploadTriangles;
      this.forms.set(key, { ...upload(this.gl, form), low: form.low, step: form.step });
    }
    return this.forms.get(key);
  }

  use(program, camera, see) {
    const { gl } = this, { at } = program;
    gl.useProgram(program.program);
    setMatrix(gl, at.see, see);
    if (at.near) gl.uniform1f(at.near, camera.distance / 100);
    if (at.nearer) gl.uniform1f(at.nearer, 0);
    if (at.size) gl.uniform2f(at.size, this.canvas.width, this.canvas.height);
    if (at.light) setMatrix(gl, at.light, this.light.matrix);
    if (at.texel) gl.uniform1f(at.texel, this.light.texel);
    if (!at.eye) return;
    gl.uniform3fv(at.eye, camera.eye);
    gl.uniform3fv(at.up, camera.up);
    gl.uniform3fv(at.key, this.light.key);
    const [right, top, back] = camera.axes();
    gl.uniform3fv(at.fill, unit(add(add(back, times(right, 0.7)), times(top, 0.25))));
  }

  /** One surface. The form's whole numbers become lengths in `model`; normals turn by the inverse of the scale. */
  surface(program, thing, color, glow = 0) {
    const { gl } = this, { at } = program, form = this.form(thing.form), m = thing.matrix, model = FLOATS16, turn = FLOATS9;
    model.set(m);
    for (let k = 0; k < 3; k++) {
      const square = m[4 * k] ** 2 + m[4 * k + 1] ** 2 + m[4 * k + 2] ** 2 || 1;
      for (let i = 0; i < 3; i++) {
        model[4 * k + i] = m[4 * k + i] * form.step[k];
        model[12 + i] += m[4 * k + i] * form.low[k];
        turn[3 * k + i] = m[4 * k + i] / square;
      }
    }
    gl.uniformMatrix4fv(at.model, false, model);
    if (at.turn) gl.uniformMatrix3fv(at.turn, false, turn);
    gl.uniform4fv(at.coil, thing.coil);
    if (at.color) gl.uniform4fv(at.color, color);
    if (at.choose) gl.uniform3f(at.choose, form.flat ? 1 : 0, form.colored ? 1 : 0, this.shadows ? 1 : 0);
    if (at.glow) gl.uniform1f(at.glow, glow);
    const mesh = this.coarse && typeof thing.form === "number" ? this.coarser(thing, form) : form;
    gl.bindVertexArray(mesh.vao);
    gl.drawElements(gl.TRIANGLES, mesh.count, mesh.type, 0);
  }

  /** A surface with fewer faces, made when it is first needed. */
  coarser(thing, form) {
    if (!form.coarse) {
      const m = thing.matrix, size = [0, 1, 2].map((k) => form.step[k] * Math.hypot(m[4 * k], m[4 * k + 1], m[4 * k + 2]));
      const cells = size.map((step) => Math.max(CELL * this.things.size / (step || 1), 1));
      form.coarse = uploadFaces(this.gl, form.buffer, coarseFaces(this.scene.forms[thing.form], cells));
    }
    return form.coarse;
  }

  segments(program, form, matrix, color, width, glow = 0) {
    const { gl } = this, { at } = program;
    setMatrix(gl, at.model, matrix);
    gl.uniform4fv(at.color, color);
    gl.uniform1f(at.width, width * this.ratio);
    if (at.choose) gl.uniform3f(at.choose, 0, form.colored ? 1 : 0, 0);
    if (at.glow) gl.uniform1f(at.glow, glow);
    gl.bindVertexArray(form.vao);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, form.count);
  }

  draw(camera, theme, { hover = 0, overlays = [], shadows = true, coarse = false } = {}) {
    const { gl, programs } = this, see = camera.matrix(), visible = this.things.visible();
    const solid = visible.filter((thing) => !thing.lines && thing.color[3] > 0.995);
    this.shadows = shadows;
    this.coarse = coarse;
    this.ratio = this.canvas.height / camera.height;
    this.light = lightOf(camera);
    if (shadows) this.drawShadow(camera, solid);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawSky(theme);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    this.use(programs.surface, camera, see);
    for (const thing of solid) this.surface(programs.surface, thing, thing.color, thing.number === hover ? 1 : 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (shadows) this.drawFloor(camera, see, theme);
    this.drawHidden(camera, see, visible.filter((thing) => THROUGH.has(thing.layer)));
    this.drawLines(camera, see, visible.filter((one) => one.lines), theme.grid, 1, hover);
    this.drawClear(camera, see, visible.filter((thing) => !thing.lines && thing.color[3] <= 0.995), hover);
    if (overlays.length) this.drawOverlays(camera, see, overlays);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  drawSky(theme) {
    const { gl, programs } = this;
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.useProgram(programs.sky.program);
    gl.uniform3fv(programs.sky.at.above, theme.above);
    gl.uniform3fv(programs.sky.at.below, theme.below);
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** Depth seen from the key light; kept while nothing moves. */
  drawShadow(camera, solid) {
    const { gl, programs } = this, version = `${this.things.version} ${Object.values(this.things.shown)}`;
    if (version === this.shadowVersion) return;
    this.shadowVersion = version;
    gl.bindTexture(gl.TEXTURE_2D, null); // not read while it is written
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.target);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.use(programs.pickSurface, camera, this.light.matrix);
    const casts = (thing) => thing.layer !== "ground" && thing.kind !== "arrow";
    for (const thing of solid.filter(casts)) this.surface(programs.pickSurface, thing, NO_COIL);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
  }

  drawFloor(camera, see, theme) {
    if (this.ground === null || this.ground === undefined || this.things.shown.ground === false) return;
    const { gl, programs: { floor } } = this, middle = times(add(camera.low, camera.high), 0.5), wide = 2.5 * camera.radius;
    this.use(floor, camera, see);
    gl.uniform3fv(floor.at.middle, add(middle, times(camera.up, this.ground - dot(middle, camera.up) + 1e-3 * camera.radius)));
    gl.uniform3fv(floor.at.east, times(camera.east, wide));
    gl.uniform3fv(floor.at.north, times(camera.north, wide));
    gl.uniform1f(floor.at.strength, theme.shadow);
    gl.depthMask(false);
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
  }

  drawLines(camera, see, lines, grid, strength, hover) {
    const { gl, programs: { line } } = this;
    this.use(line, camera, see);
    for (const thing of lines) {
      const ground = thing.layer === "ground", [r, g, b, a] = thing.color;
      gl.uniform4fv(line.at.fade, ground ? this.edge : NO_COIL);
      gl.uniform1f(line.at.nearer, (ground ? 0 : -0.002) * camera.projection()[14]); // by 0.2 % of the way to the eye
      const color = [r, g, b, a * strength * (ground ? grid : 1)];
      this.segments(line, this.form(thing.form), thing.matrix, color, thing.width, thing.number === hover ? 1 : 0);
    }
  }

  /** Frames, axes and arrows inside of solids shine through faintly. */
  drawHidden(camera, see, things) {
    const { gl, programs: { surface } } = this;
    if (!things.length) return;
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    this.use(surface, camera, see);
    for (const thing of things.filter((one) => !one.lines)) {
      this.surface(surface, thing, [...thing.color.slice(0, 3), 0.25 * thing.color[3]]);
    }
    this.drawLines(camera, see, things.filter((thing) => thing.lines), 1, 0.4, 0);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
  }

  /** Transparent surfaces, far ones first; of each only the front is seen: its depth is drawn before its color. */
  drawClear(camera, see, clear, hover) {
    const { gl, programs: { surface } } = this, eye = camera.eye;
    const far = (thing) => norm(sub([thing.matrix[12], thing.matrix[13], thing.matrix[14]], eye));
    this.use(surface, camera, see);
    gl.enable(gl.POLYGON_OFFSET_FILL); // where a ghost coincides with a solid, the solid is seen
    gl.polygonOffset(1, 4);
    for (const thing of clear.map((one) => [far(one), one]).sort((a, b) => b[0] - a[0]).map((pair) => pair[1])) {
      gl.colorMask(false, false, false, false);
      this.surface(surface, thing, thing.color);
      gl.colorMask(true, true, true, true);
      this.surface(surface, thing, thing.color, thing.number === hover ? 1 : 0);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** Handles and lines of others (see player.overlay): in front of everything. */
  drawOverlays(camera, see, overlays) {
    const { gl, programs: { surface, line } } = this, pen = new Pen(camera);
    for (const draw of overlays) draw(pen);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const shadows = this.shadows;
    this.shadows = false;
    this.use(surface, camera, see);
    for (const solid of pen.solids) this.surface(surface, solid, solid.color);
    this.use(line, camera, see);
    gl.uniform4fv(line.at.fade, NO_COIL);
    for (const { points, color, width } of pen.strokes) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.loose.points);
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
      this.segments(line, { ...this.loose, count: points.length / 6 }, IDENTITY, color, width);
    }
    this.shadows = shadows;
  }

  /** The number of the thing at a pixel (of CSS), or 0. The picture is shifted so that this pixel is the only one. */
  pick(camera, x, y) {
    const { gl, programs } = this, see = camera.matrix(), ray = camera.ray(x, y), slack = 8 * camera.pixel(camera.target);
    const visible = this.things.visible().filter((one) => one.layer !== "ground" && this.things.meets(one, ray, slack));
    this.light = lightOf(camera);
    this.ratio = this.canvas.height / camera.height;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.picked);
    const column = Math.floor(x * this.ratio), row = Math.ceil((camera.height - y) * this.ratio) - 1;
    gl.viewport(-column, -row, this.canvas.width, this.canvas.height);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const code = (n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, 255].map((byte) => byte / 255);
    this.use(programs.pickSurface, camera, see);
    for (const thing of visible) if (!thing.lines) this.surface(programs.pickSurface, thing, code(thing.number));
    this.use(programs.pickLine, camera, see);
    for (const thing of visible) {
      if (thing.lines) this.segments(programs.pickLine, this.form(thing.form), thing.matrix, code(thing.number), thing.width + 5);
    }
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindVertexArray(null);
    return pixel[3] ? pixel[0] + 256 * pixel[1] + 65536 * pixel[2] : 0;
  }
}

const IDENTITY = frame([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]);

/** The key light: its direction, from above and beside, and the matrix from the world to its shadow map. */
function lightOf(camera) {
  const key = unit(add(camera.up, add(times(camera.east, 0.35), times(camera.north, -0.62))));
  const [right, top] = across(key), middle = times(add(camera.low, camera.high), 0.5);
  const r = 1.3 * camera.radius, deep = 4 * camera.radius;
  const row = (axis, s) => [axis[0] * s, axis[1] * s, axis[2] * s, -dot(axis, middle) * s];
  const [a, b, c] = [row(right, 1 / r), row(top, 1 / r), row(key, -1 / deep)];
  const matrix = Float64Array.from({ length: 16 }, (_, n) => [a, b, c, [0, 0, 0, 1]][n % 4][n >> 2]);
  return { key, texel: 2 * r / SHADOW_SIZE, matrix };
}
