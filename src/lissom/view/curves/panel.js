// Panel: one diagram of curves over time, drawn as SVG: sharp on every screen and in print, colored by the page's style.
"use strict";

lissom.Panel = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const HIGH = 168, LEFT = 54, RIGHT = 8, TOP = 8, BELOW = 20, MARK = 3.5;
  const { place, valueAt, visible, ticks, sharedPower, tickLabel, shown } = lissom.numbers;

  function svg(parent, name, attributes = {}, text = null) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== null) made.textContent = text;
    parent.append(made);
    return made;
  }

  function html(parent, name, kind = "", text = null) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (text !== null) made.textContent = text;
    parent.append(made);
    return made;
  }

  class Panel {
    // data: {title, unit, t, lines: [{name, tone, y}], limits: [{low, high, at, spans}], log, least}; events: [[time, text]];
    // shades: [[start, end]]
    constructor(parent, data, events, shades) {
      Object.assign(this, data);
      this.events = events;
      this.shades = shades;
      this.stale = true;
      this.figure = html(parent, "figure", "panel");
      this.figure.tabIndex = 0;
      this.figure.setAttribute("aria-label", `${this.title} over time`);
      this.caption();
      this.svg = svg(this.figure, "svg", { role: "img", "aria-label": this.title });
    }

    caption() {
      const caption = html(this.figure, "figcaption");
      html(caption, "b", "", this.title);
      this.unitText = html(caption, "span", "unit", this.unit ? `[${this.unit}]` : "");
      this.far = html(caption, "span", "far");
      const legend = html(caption, "span", "legend");
      this.readouts = this.lines.map((line) => {
        const key = html(legend, "button", `key tone-${line.tone}`);
        key.type = "button";
        if (this.lines.length > 1) {
          html(key, "i");
          html(key, "span", "", line.name);
          key.title = "show or hide this curve";
          key.onclick = () => {
            line.hidden = !line.hidden;
            key.classList.toggle("off", line.hidden);
            this.draw(this.start, this.end);
            this.moveCursor(this.cursorTime, this.hovered);
          };
        } else key.tabIndex = -1;
        return html(key, "output");
      });
    }

    get inner() { return this.width - LEFT - RIGHT; }
    x(t) { return (t - this.start) / (this.end - this.start) * this.inner; }
    y(value) { return (this.high - value) / (this.high - this.low) * (HIGH - TOP - BELOW); }

    // time under a position of the pointer
    timeAt(clientX) {
      const box = this.svg.getBoundingClientRect();
      const share = ((clientX - box.left) * this.width / box.width - LEFT) / this.inner;
      return this.start + Math.min(1, Math.max(0, share)) * (this.end - this.start);
    }

    // take the width that the page gives; apart from drawing, because asking for it makes the browser lay out the page
    measure() { this.width = Math.max(160, Math.round(this.svg.clientWidth || this.figure.clientWidth || 400)); }

    draw(start, end) {
      if (!this.width) this.measure();
      [this.start, this.end] = [start, end];
      [this.low, this.high] = lissom.valueRange.range(this, start, end);
      this.stale = false;
      this.svg.replaceChildren();
      this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HIGH}`);
      const height = HIGH - TOP - BELOW;
      const plot = { x: LEFT, y: TOP, width: this.inner, height };
      svg(this.svg, "rect", { ...plot, class: "frame" });
      this.axes(height);
      const inside = svg(this.svg, "svg", { ...plot, overflow: "hidden" });
      for (const [from, to] of this.shades) {
        svg(inside, "rect", { class: "shade", x: this.x(from), y: 0, width: this.x(to) - this.x(from), height });
      }
      this.drawLimits(inside, height);
      for (const [time] of this.events) {
        if (time >= start && time <= end) svg(inside, "line", { class: "event", x1: this.x(time), x2: this.x(time), y1: 0, y2: height });
      }
      for (const line of this.lines) if (!line.hidden) svg(inside, "path", { class: `curve tone-${line.tone}`, d: this.path(line) });
      this.band = svg(inside, "rect", { class: "band", y: 0, height, width: 0, visibility: "hidden" });
      this.cursor = svg(inside, "line", { class: "cursor", y1: 0, y2: height, visibility: "hidden" });
      this.dots = this.lines.map((line) => svg(inside, "circle", { class: `dot tone-${line.tone}`, r: 3, visibility: "hidden" }));
    }

    axes(height) {
      const label = (x, y, anchor, text) => svg(this.svg, "text", { x, y, "text-anchor": anchor }, text);
      const along = ticks(this.start, this.end, this.inner / 75);
      for (const [k, t] of along.values.entries()) {
        const x = LEFT + this.x(t), unit = k === along.values.length - 1 ? " s" : "";
        svg(this.svg, "line", { class: "grid", x1: x, x2: x, y1: TOP, y2: TOP + height });
        label(x, HIGH - 6, x > this.width - 24 ? "end" : "middle", tickLabel(t, along.step, 0) + unit);
      }
      const up = ticks(this.low, this.high, 5), power = this.log ? 0 : sharedPower(this.low, this.high, up.step);
      this.unitText.textContent = this.unit || power ? `[${`${power ? `10^${power} ` : ""}${this.unit}`.trim()}]` : "";
      for (const value of up.values) {
        if (this.log && value % 1 !== 0) continue;
        const y = TOP + this.y(value);
        svg(this.svg, "line", { class: value === 0 && !this.log ? "grid zero" : "grid", x1: LEFT, x2: LEFT + this.inner, y1: y, y2: y });
        label(LEFT - 5, y + 4, "end", this.log ? `1e${value}` : tickLabel(value, up.step, power));
      }
    }

    // tint what lies beyond the limits; limits at single instants only there
    drawLimits(inside, height) {
      const [low, high] = lissom.valueRange.extent(this, this.start, this.end), far = [];
      for (const limit of this.limits) {
        for (const [bound, side] of [[limit.low, "low"], [limit.high, "high"]]) {
          if (bound === null) continue;
          if (!lissom.valueRange.near(bound, low, high)) { far.push(bound); continue; }
          const y = this.y(bound), [top, size] = side === "low" ? [y, height - y] : [0, y];
          const times = limit.spans ? limit.spans.map(([a, b]) => [this.x(a), this.x(b) - this.x(a)]) : [[0, this.inner]];
          const spans = limit.at ? limit.at.map((t) => [this.x(t) - MARK, 2 * MARK]) : times;
          for (const [x, width] of spans) {
            if (size > 0) svg(inside, "rect", { class: "beyond", x, y: top, width, height: size });
            svg(inside, "line", { class: `limit${limit.motor ? " motor" : ""}`, x1: x, x2: x + width, y1: y, y2: y });
          }
        }
      }
      const values = [...new Set(far)].sort((a, b) => a - b).map(shown);
      this.far.textContent = values.length ? `limit ${values.join(", ")}${this.unit ? ` ${this.unit}` : ""}` : "";
    }

    path(line) {
      const times = this.t, first = place(this.start, times), last = Math.min(times.length - 1, place(this.end, times) + 1);
      const parts = [];
      let pen = "M";
      for (const i of visible(times, line.y, first, last, this.start, this.end, this.inner)) {
        const value = this.log ? Math.log10(line.y[i]) : line.y[i];
        if (!Number.isFinite(value)) { pen = "M"; continue; }
        parts.push(`${pen}${this.x(times[i]).toFixed(2)} ${this.y(value).toFixed(2)}`);
        pen = "L";
      }
      return parts.join("");
    }

    // values at a time, in the order of the lines
    values(t) { return this.lines.map((line) => valueAt(t, this.t, line.y)); }

    moveCursor(t, hovered) {
      [this.cursorTime, this.hovered] = [t, hovered];
      this.values(t).forEach((value, k) => {
        const noise = !this.log && Math.abs(value) <= this.least;
        this.readouts[k].textContent = `${shown(noise ? 0 : value)}${this.unit && Number.isFinite(value) ? ` ${this.unit}` : ""}`;
        if (this.stale) return;
        const height = this.log ? Math.log10(value) : value, seen = Number.isFinite(height) && !this.lines[k].hidden;
        this.dots[k].setAttribute("visibility", seen ? "visible" : "hidden");
        if (seen) { this.dots[k].setAttribute("cx", this.x(t)); this.dots[k].setAttribute("cy", this.y(height)); }
      });
      if (this.stale) return;
      this.cursor.setAttribute("visibility", "visible");
      this.cursor.setAttribute("class", hovered ? "cursor hovered" : "cursor");
      this.cursor.setAttribute("x1", this.x(t));
      this.cursor.setAttribute("x2", this.x(t));
    }

    // the part of the time axis that is being chosen; null hides it
    choose(from, to) {
      this.band.setAttribute("visibility", from === null ? "hidden" : "visible");
      if (from === null) return;
      this.band.setAttribute("x", this.x(Math.min(from, to)));
      this.band.setAttribute("width", Math.abs(this.x(to) - this.x(from)));
    }
  }
  return Panel;
})();
