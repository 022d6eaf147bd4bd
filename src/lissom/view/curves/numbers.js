// Numbers of curves: arrays from base64, values between samples, thinning, ticks and their labels. No document is needed here.
"use strict";
globalThis.lissom = globalThis.lissom || {};

lissom.numbers = (() => {
  const TYPES = { f32: Float32Array, f64: Float64Array };

  // an array {type, shape, data: base64, little-endian}, as every processor that runs a browser stores it
  function unpack(array) {
    const letters = atob(array.data), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    return new TYPES[array.type](bytes.buffer);
  }

  // index of the last sample at or before t; 0 before the first
  function place(t, times) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // the value at t, linear between samples; NaN outside of them
  function valueAt(t, times, y) {
    const n = times.length;
    if (!n || t < times[0] || t > times[n - 1]) return NaN;
    const k = place(t, times);
    if (k === n - 1 || times[k] === t) return y[k];
    return y[k] + (y[k + 1] - y[k]) * (t - times[k]) / (times[k + 1] - times[k]);
  }

  // indices to draw of samples first..last: all, or where there are many per pixel the lowest and highest of each pixel
  function visible(times, y, first, last, start, end, pixels) {
    const found = [];
    if (last - first < 3 * pixels) {
      for (let i = first; i <= last; i++) found.push(i);
      return found;
    }
    const perPixel = pixels / (end - start);
    let column = -Infinity, low = first, high = first, gap = -1;
    const flush = () => {
      if (column === -Infinity) return;
      if (gap >= 0) found.push(gap); // a sample without a value interrupts the line
      found.push(Math.min(low, high));
      if (low !== high) found.push(Math.max(low, high));
    };
    for (let i = first; i <= last; i++) {
      const own = Math.floor((times[i] - start) * perPixel);
      if (own !== column) {
        flush();
        column = own; low = high = i; gap = -1;
      }
      if (Number.isNaN(y[i])) gap = i;
      else {
        if (!(y[i] >= y[low])) low = i;
        if (!(y[i] <= y[high])) high = i;
      }
    }
    flush();
    if (found[found.length - 1] !== last) found.push(last);
    return found;
  }

  // round values from low to high, about `count` of them
  function ticks(low, high, count) {
    const raw = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= raw * 0.8) || raw;
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && found.length < 50; k++) found.push(k * step);
    return { step, values: found };
  }

  // power of ten, a multiple of three, that labels of an axis share: 0 where plain numbers are short
  function sharedPower(low, high, step) {
    const largest = Math.max(Math.abs(low), Math.abs(high));
    if (!(largest > 0) || (largest < 1e5 && step >= 0.999e-4)) return 0;
    return 3 * Math.floor(Math.log10(largest) / 3);
  }

  const decimals = (step) => Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const minus = (text) => text.replaceAll("-", "\u2212");

  function tickLabel(value, step, power) {
    const scaled = value / 10 ** power, text = scaled.toFixed(decimals(step / 10 ** power));
    return minus(Number(text) === 0 ? text.replace("-", "") : text);
  }

  // a value in words: five digits
  function shown(value) {
    if (!Number.isFinite(value)) return "\u2013";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e6)) return minus(value.toExponential(4));
    return minus(size >= 1e5 ? value.toFixed(0) : String(Number(value.toPrecision(5))));
  }

  return { unpack, place, valueAt, visible, ticks, sharedPower, tickLabel, shown, decimals };
})();
