// The bar below the picture: play, step, time, speed, loop, and marks of events.

const SPEEDS = [[1 / 8, "⅛×"], [1 / 4, "¼×"], [1 / 2, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]];

class Controls {
  constructor(player) {
    this.player = player;
    const { motion, element: parent } = player;
    const bar = element("div", { parent, class: "lissom-bar", role: "group", "aria-label": "time" });
    this.bar = bar;
    this.playing = button(bar, "play", "play (space)", () => player.toggle());
    button(bar, "back", "step back (,)", () => player.step(-1));
    button(bar, "forward", "step forward (.)", () => player.step(1));
    const track = element("div", { parent: bar, class: "lissom-track" });
    this.slider = element("input", {
      parent: track, type: "range", min: motion.start, max: motion.end, step: "any", value: motion.start,
      "aria-label": "time in seconds",
    });
    this.slider.addEventListener("input", () => {
      const time = Number(this.slider.value); // before pausing, which shows the time that was
      player.pause();
      player.setTime(time);
    });
    this.slider.addEventListener("keydown", (event) => this.key(event));
    this.marks(track);
    this.digits = motion.end - motion.start < 2 ? 3 : 2;
    this.clock = element("output", { parent: bar, class: "lissom-clock" });
    this.speed = element("select", { parent: bar, title: "speed", "aria-label": "speed" });
    for (const [value, text] of SPEEDS) element("option", { parent: this.speed, value, text });
    this.speed.value = "1";
    this.speed.addEventListener("change", () => { player.speed = Number(this.speed.value); });
    this.loop = button(bar, "loop", "repeat", () => { player.loop = !player.loop; this.show(); });
    this.show();
  }

  marks(track) {
    const { player } = this, { start, end } = player.motion;
    for (const [time, text] of player.scene.events) {
      const at = (time - start) / (end - start || 1), title = `${text} (${time.toFixed(3)} s)`;
      if (!(at >= 0 && at <= 1)) continue;
      const mark = element("button", { parent: track, class: "lissom-mark", type: "button", title, "aria-label": title });
      mark.style.left = `calc(${100 * at}% + ${8 - 16 * at}px)`; // the slider's knob is 16 pixels wide
      mark.addEventListener("click", () => { player.pause(); player.setTime(time); });
    }
  }

  key(event) {
    const { player } = this;
    const keys = { " ": () => player.toggle(), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
      Home: () => player.setTime(player.motion.start), End: () => player.setTime(player.motion.end) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  show() {
    const { player } = this, { start, end } = player.motion;
    this.bar.hidden = !(end > start) || !!player.leader;
    if (Number(this.slider.value) !== player.time) this.slider.value = player.time;
    const text = `${player.time.toFixed(this.digits)} / ${end.toFixed(this.digits)} s`;
    if (this.clock.value !== text) this.clock.value = text;
    this.slider.setAttribute("aria-valuetext", `${player.time.toFixed(this.digits)} s`);
    this.slider.style.setProperty("--done", `${100 * (player.time - start) / (end - start || 1)}%`);
    if (this.shown !== player.playing) {
      this.shown = player.playing;
      setIcon(this.playing, player.playing ? "pause" : "play", player.playing ? "pause (space)" : "play (space)");
    }
    this.loop.setAttribute("aria-pressed", player.loop);
  }
}
