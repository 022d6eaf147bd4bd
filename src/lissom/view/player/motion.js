// Where the bodies are and how the arrows point at a time: interpolation between the frames of a scene.

class Motion {
  constructor(scene) {
    this.bodies = scene.bodies;
    this.times = scene.times;
    this.poses = scene.poses;
    this.arrows = scene.arrows;
    this.count = scene.bodies.length;
    this.world = new Float64Array(16 * this.count); // matrices of the bodies at the shown time
    this.tails = scene.arrows.map(() => new Float64Array(6)); // start and vector of each arrow at the shown time
    this.pose = new Float64Array(7);
    this.show(this.start);
  }

  get start() { return this.times[0]; }
  get end() { return this.times[this.times.length - 1]; }

  /** Index of the last frame at or before t. */
  frameAt(t) {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  show(t) {
    const i = this.frameAt(t), j = Math.min(i + 1, this.times.length - 1);
    const u = j > i ? clamp((t - this.times[i]) / (this.times[j] - this.times[i]), 0, 1) : 0;
    const width = 7 * this.count;
    for (let b = 0; b < this.count; b++) {
      between(this.poses, i * width + 7 * b, this.poses, j * width + 7 * b, u, this.pose, 0);
      poseMatrix(this.pose, 0, this.world, 16 * b);
    }
    this.arrows.forEach((arrow, n) => {
      for (let k = 0; k < 3; k++) {
        this.tails[n][k] = arrow.at[3 * i + k] + u * (arrow.at[3 * j + k] - arrow.at[3 * i + k]);
        this.tails[n][k + 3] = arrow.vector[3 * i + k] + u * (arrow.vector[3 * j + k] - arrow.vector[3 * i + k]);
      }
    });
  }

  /** One pose instead of the motion: `poses` has seven numbers per body, `arrows` six per arrow (start, vector); both flat. */
  replace({ poses, arrows }) {
    if (poses) for (let b = 0; b < this.count; b++) poseMatrix(poses, 7 * b, this.world, 16 * b);
    if (arrows) this.tails.forEach((tail, n) => { for (let k = 0; k < 6; k++) tail[k] = arrows[6 * n + k]; });
  }

  matrix(body) { return this.world.subarray(16 * body, 16 * body + 16); }
}
