// Curves: groups of panels that share their time axis and cursor; the cursor is tied to the time of the page's first player.
"use strict";

lissom.Curves = (() => {
  const { unpack, shown } = lissom.numbers;
  const STEPS = 200; // of an arrow key along the visible time

  class Curves {
    // data: {times: [A], groups: [{title, shown, panels}], events: [[time, text]], shades: [[start, end]]}
    constructor(element, data) {
      this.element = element;
      this.panels = [];
      this.listeners = [];
      const times = data.times.map(unpack);
      const starts = times.filter((t) => t.length).map((t) => t[0]), ends = times.filter((t) => t.length).map((t) => t[t.length - 1]);
      this.first = starts.length ? Math.min(...starts) : 0;
      this.last = ends.length ? Math.max(...ends) : 1;
      if (!(this.last > this.first)) this.last = this.first + 1;
      [this.start, this.end, this.time] = [this.first, this.last, this.first];
      this.events = data.events;
      this.shades = data.shades;
      this.bar();
      for (const group of data.groups) this.group(group, times);
      this.watch();
      this.setTime(this.first);
    }

    bar() {
      const bar = document.createElement("div");
      bar.className = "curve-bar";
      this.clock = document.createElement("output");
      this.back = document.createElement("button");
      this.back.type = "button";
      this.back.textContent = "whole time";
      this.back.disabled = true;
      this.back.onclick = () => this.setRange(this.first, this.last);
      const help = document.createElement("span");
      help.className = "note";
      help.textContent = "drag or pinch: zoom \u00b7 click: go to that time \u00b7 double click: whole time \u00b7 keys: \u2190 \u2192 + \u2212 0";
      bar.append(this.clock, this.back, help);
      this.element.append(bar);
    }

    group(group, times) {
      const fold = document.createElement("details"), title = document.createElement("summary"), grid = document.createElement("div");
      fold.open = group.shown;
      title.textContent = group.title;
      grid.className = "panels";
      fold.append(title, grid);
      this.element.append(fold);
      for (const given of group.panels) {
        const lines = given.lines.map((line) => ({ ...line, y: unpack(line.y), hidden: false }));
        const panel = new lissom.Panel(grid, { ...given, lines, t: times[given.time] }, this.events, this.shades);
        this.panels.push(panel);
        lissom.gestures(this, panel);
      }
    }

    // panels are drawn when they come into view, and anew when their width changes
    watch() {
      const of = new Map(this.panels.map((panel) => [panel.figure, panel]));
      this.inView = new Set();
      const seen = new IntersectionObserver((entries) => {
        for (const entry of entries) {
          const panel = of.get(entry.target);
          this.inView[entry.isIntersecting ? "add" : "delete"](panel);
          if (entry.isIntersecting && panel.stale) this.show(panel);
        }
      }, { rootMargin: "200px" });
      const sized = new ResizeObserver((entries) => {
        for (const entry of entries) {
          const panel = of.get(entry.target), width = panel.width;
          if (!entry.contentRect.width || this.printing) continue; // folded
          panel.measure();
          if (panel.width !== width) this.refresh(panel);
        }
      });
      for (const panel of this.panels) { seen.observe(panel.figure); sized.observe(panel.figure); }
      addEventListener("beforeprint", () => this.print(true));
      addEventListener("afterprint", () => this.print(false));
    }

    refresh(panel) {
      panel.stale = true;
      if (this.inView.has(panel)) this.show(panel);
    }

    show(panel) {
      panel.draw(this.start, this.end);
      panel.moveCursor(this.hover ?? this.time, this.hover != null);
    }

    // on paper all parts of the page are open, and every panel is drawn
    print(begins) {
      this.printing = begins;
      if (begins) {
        this.closed = [...document.querySelectorAll("details:not([open]):not(.lissom-player *)")];
        for (const fold of this.closed) fold.open = true;
        for (const panel of this.panels) if (panel.stale) this.show(panel);
      } else for (const fold of this.closed ?? []) fold.open = false;
    }

    // the part of the time that is shown
    setRange(start, end) {
      const least = 1e-6 * (this.last - this.first);
      let [from, to] = start < end ? [start, end] : [end, start];
      if (to - from < least) { const middle = (from + to) / 2; [from, to] = [middle - least / 2, middle + least / 2]; }
      [this.start, this.end] = [Math.max(this.first, from), Math.min(this.last, to)];
      this.back.disabled = this.start === this.first && this.end === this.last;
      for (const panel of this.panels) this.refresh(panel);
    }

    // zoom by a factor about a time
    zoom(factor, about) { this.setRange(about - (about - this.start) * factor, about + (this.end - about) * factor); }

    // cursor and players at a time; `from` is the player that is there already
    setTime(t, from = null) {
      this.time = Math.min(this.last, Math.max(this.first, t));
      if (this.hover == null) this.mark();
      if (from) return;
      for (const follow of this.listeners) follow(this.time);
    }

    setHover(t) {
      this.hover = t;
      this.mark();
    }

    mark() {
      const t = this.hover ?? this.time;
      this.clock.textContent = `t = ${shown(t)} s`;
      const near = this.events.filter(([time]) => Math.abs(time - t) < 0.01 * (this.end - this.start));
      if (near.length) this.clock.textContent += ` (${near.map(([, text]) => text).join(", ")})`;
      for (const panel of this.inView ?? []) panel.moveCursor(t, this.hover != null);
    }

    // tie the cursor to a player: {time, setTime(t), onTime(callback)}
    follow(player) {
      let busy = false; // a player that is set tells so
      this.listeners.push((t) => { busy = true; player.setTime(t); busy = false; });
      player.onTime((t) => { if (!busy) this.setTime(t, player); });
      this.setTime(player.time, player);
    }

    step(share) { this.setTime(this.time + share * (this.end - this.start) / STEPS); }
  }
  return Curves;
})();
