// The range of a panel's values: visible curves and limits near them, with room; limits far away are left to words.
"use strict";

lissom.valueRange = (() => {
  const FAR = 4; // a limit more than so many times the curve's size away would flatten it
  const DECADES = 14; // most of a logarithmic axis

  // lowest and highest value of all lines between two times
  function extent(panel, start, end) {
    const { place } = lissom.numbers, times = panel.t;
    let low = Infinity, high = -Infinity;
    const first = place(start, times), last = Math.min(times.length - 1, place(end, times) + 1);
    for (const line of panel.lines) {
      if (line.hidden) continue;
      for (let i = first; i <= last; i++) {
        const y = line.y[i];
        if (panel.log && !(y > 0)) continue;
        if (y < low) low = y;
        if (y > high) high = y;
      }
    }
    return [low, high];
  }

  // whether a bound is near enough to be drawn
  function near(bound, low, high) {
    const size = Math.max(Math.abs(low), Math.abs(high), 1e-12);
    return bound !== null && Math.abs(bound) <= FAR * size;
  }

  function linear(panel, start, end) {
    let [low, high] = extent(panel, start, end);
    if (low > high || Math.max(-low, high) <= panel.least) return [-1, 1]; // rounding noise is a flat line
    const [own, top] = [low, high];
    for (const limit of panel.limits) {
      if (limit.at && !limit.at.some((t) => t >= start && t <= end)) continue;
      if (limit.spans && !limit.spans.some(([from, to]) => to >= start && from <= end)) continue;
      if (near(limit.low, own, top)) low = Math.min(low, limit.low);
      if (near(limit.high, own, top)) high = Math.max(high, limit.high);
    }
    if (high - low < 1e-6 * Math.max(Math.abs(low), Math.abs(high))) { // a constant: numbers have seven digits
      const half = 0.05 * Math.abs(high);
      [low, high] = [low - half, high + half];
    }
    const room = 0.07 * (high - low);
    return [low - room, high + room];
  }

  function logarithmic(panel, start, end) {
    const [low, high] = extent(panel, start, end);
    if (low > high) return [-1, 1];
    const top = Math.log10(high) + 0.15;
    return [Math.max(Math.log10(low) - 0.15, top - DECADES), Math.max(top, Math.log10(low) + 0.5)];
  }

  const range = (panel, start, end) => (panel.log ? logarithmic : linear)(panel, start, end);
  return { range, extent, near };
})();
