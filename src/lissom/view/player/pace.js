// Keeps a motion smooth where drawing is slow, as without a graphics card: first shadows go,
// then small triangles, then resolution. A still picture has all.

const SLOW = 55; // time between two pictures [ms] from which on less is drawn
const MANY = 30000; // triangles that a processor does not draw in that time
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // drivers that draw on the processor

class Pace {
  constructor() { this.rest(); }

  /** Nothing moves: everything is drawn. */
  rest() { this.level = 0; }

  /** Something begins to move; `stage` says whether the processor draws, and how many triangles. */
  begin(stage) {
    this.level = !stage || !stage.slow ? 0 : stage.triangles() > MANY ? 2 : 1;
    this.mean = 0;
    this.seen = -1; // the first gap is that of starting
  }

  /** Notes the time between two pictures [ms]; returns whether less is to be drawn from now on. */
  note(gap) {
    this.seen++;
    if (this.seen < 1) return false;
    this.mean = this.seen === 1 ? gap : 0.6 * this.mean + 0.4 * gap;
    const late = this.mean > 3 * SLOW ? this.seen >= 2 : this.mean > SLOW && this.seen >= 5;
    if (!late || this.level === 3) return false;
    this.level++;
    this.seen = 0;
    return true;
  }

  get choice() { return { shadows: this.level < 1, coarse: this.level >= 2 }; }
  get resolution() { return this.level < 3 ? 1 : 0.5; }
}
