// What overlays draw with: lines and small solids of constant size on the screen, in front of the scene.

class Pen {
  constructor(camera) {
    this.camera = camera;
    this.strokes = [];
    this.solids = [];
  }

  /** Length [m] of one pixel at a point. */
  pixel(point) { return this.camera.pixel(point); }

  /** Segments: six numbers each (both ends, in the world), one after another. Color: red, green, blue, opacity. */
  lines(points, color, width = 2) { this.strokes.push({ points: Float32Array.from(points), color, width }); }

  /** A solid "ball" (radius 1), "rod" or "cone" (radius 1, from 0 to 1 along z), taken to the world by a matrix of 16 numbers. */
  solid(form, matrix, color) { this.solids.push({ form, matrix, color, coil: NO_COIL }); }

  ball(center, pixels, color) {
    const r = pixels * this.pixel(center);
    this.solid("ball", frame([r, 0, 0], [0, r, 0], [0, 0, r], center), color);
  }

  /** An arrow from `start` along the unit vector `axis`, `pixels` long. */
  arrow(start, axis, pixels, color) {
    const s = this.pixel(start), length = pixels * s, head = 14 * s;
    this.solid("rod", along(start, axis, [2 * s, 2 * s, length - head]), color);
    this.solid("cone", along(add(start, times(axis, length - head)), axis, [5.5 * s, 5.5 * s, head]), color);
  }
}
