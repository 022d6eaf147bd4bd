// How functions of the module are called: arrays go into its memory and come back.

/** A number of doubles in the module's memory, which grows when more samples come. */
class Room {
  constructor(wasm, size) { Object.assign(this, { wasm, size, rows: 0, at: 0 }); }

  /** Address of `rows` rows. */
  for(rows) {
    if (rows > this.rows) {
      this.at = this.wasm.alloc(8 * this.size * rows) >>> 0;
      if (!this.at) throw new RangeError(`no memory for ${rows} rows of ${this.size} numbers`);
      this.rows = rows;
    }
    return this.at;
  }

  /** The numbers, as they are until memory grows. */
  view(rows) { return new Float64Array(this.wasm.memory.buffer, this.at, this.size * rows); }
}

/** Makes a function of a description {name, inputs: [[name, size]], outputs: [[name, size]]}. */
function bind(wasm, { name, inputs, outputs }) {
  const taken = inputs.map(([, size]) => new Room(wasm, size)), made = outputs.map(([, size]) => new Room(wasm, size));
  const one = wasm[name], many = wasm[`${name}_batch`];
  return function call(...given) {
    const rows = countRows(name, inputs, given);
    const at = [...taken, ...made].map((room) => room.for(rows)); // before any view is made: memory may grow
    given.slice(0, inputs.length).forEach((values, k) => taken[k].view(rows).set(values));
    const state = rows === 1 ? one(...at) : many(rows, ...at);
    if (state) throw failure(name, inputs, given, state);
    const results = made.map((room) => room.view(rows));
    const out = given[inputs.length];
    if (out === undefined) {
      const copies = results.map((values) => values.slice());
      return copies.length === 1 ? copies[0] : Object.fromEntries(outputs.map(([key], k) => [key, copies[k]]));
    }
    if (results.length > 1) {
      outputs.forEach(([key], k) => fill(name, out[key], results[k], key));
      return out;
    }
    return fill(name, out, results[0], "out");
  };
}

function fill(name, out, values, what) {
  if (!out || out.length !== values.length) throw new RangeError(`${name}: ${what} must have ${values.length} numbers, got ${out && out.length}`);
  out.set(values);
  return out;
}

/** Number of samples in the arguments; throws where they do not fit. */
function countRows(name, inputs, given) {
  const names = inputs.map(([key]) => key).join(", ");
  if (given.length < inputs.length || given.length > inputs.length + 1) throw new TypeError(`${name}(${names}) takes ${inputs.length} arrays, got ${given.length}`);
  let rows = -1;
  inputs.forEach(([key, size], k) => {
    const length = given[k] && given[k].length;
    if (!Number.isInteger(length) || (size ? length % size || !length : length)) {
      throw new RangeError(`${name}: ${key} must have ${size} numbers, or ${size} for each sample one after the other; got ${length}`);
    }
    const own = size ? length / size : rows;
    if (rows >= 0 && own !== rows) throw new RangeError(`${name}: ${key} holds ${own} samples, the arguments before it ${rows}`);
    rows = own;
  });
  return Math.max(rows, 1);
}

function failure(name, inputs, given, state) {
  if (state === 2) return new RangeError(`${name}: no memory for intermediate values`);
  for (let k = 0; k < inputs.length; k++) {
    const bad = Array.prototype.findIndex.call(given[k], (x) => !Number.isFinite(x));
    if (bad >= 0) return new RangeError(`${name}: ${inputs[k][0]}[${bad}] is ${given[k][bad]}; every input must be finite`);
  }
  return new RangeError(`${name}: a result is not finite; the state is singular, numbers are too large, or an angle is beyond 2^20 rad`);
}
