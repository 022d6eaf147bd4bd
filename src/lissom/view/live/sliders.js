// The panel beside the picture: a slider for every coordinate, buttons, the link that is dragged; messages lie on the picture.

const DEGREES = 180 / Math.PI;
const STAYS = 4000; // how long a refusal is shown although a later answer has nothing to say [ms]
const DIGITS = "(?:\\d+(?:\\.\\d*)?|\\.\\d+)";
const PLAIN = new RegExp(`^[+-]?${DIGITS}(?:e[+-]?\\d+)?$`, "i");
const PI = new RegExp(`^([+-]?)\\s*(?:(${DIGITS})\\s*(?:\\*\\s*)?)?(?:pi|π)(?:\\s*/\\s*(${DIGITS}))?$`);

/** A typed number as files have them: 0.5, 1e-3, pi/2, 90deg; `factor` units of a plain one are 1 rad or m; NaN for others. */
function typedNumber(text, unit, factor) {
  const trimmed = text.trim().replace(",", "."), degrees = trimmed.match(/^(.*?)\s*(?:deg|°)$/), pi = trimmed.match(PI);
  if (trimmed.length > 100 || (unit !== "rad" && (degrees || pi))) return NaN;
  if (pi) return (pi[1] === "-" ? -1 : 1) * (pi[2] === undefined ? 1 : Number(pi[2])) * Math.PI / (pi[3] === undefined ? 1 : Number(pi[3]));
  const plain = degrees ? degrees[1] : trimmed;
  return PLAIN.test(plain) ? Number(plain) / (degrees ? DEGREES : factor) : NaN;
}

function make(tag, parent, attributes = {}, text) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text; // never markup: names may be any text
  parent.append(made);
  return made;
}

class Sliders {
  /** calls: slide(values), neutral(), random(), link(name), own(bool), keep(bool) */
  constructor(host, picture, data, calls) {
    Object.assign(this, { host, data, calls, degrees: false, values: data.now.values });
    const head = make("div", host, { class: "live-head" });
    make("button", head, { type: "button", title: "all joints at their neutral position" }, "neutral").onclick = () => calls.neutral();
    make("button", head, { type: "button", title: "a random pose within the limits" }, "random").onclick = () => calls.random();
    this.copying = make("button", head, { type: "button", title: "copy the coordinates q as a list" }, "copy q");
    this.copying.onclick = () => this.copy();
    this.units = make("button", head, { type: "button", title: "show angles in degrees or radians", "aria-pressed": "false" }, "deg");
    this.units.onclick = () => { this.degrees = !this.degrees; this.units.setAttribute("aria-pressed", this.degrees); this.relabel(); };
    this.hand(make("div", host, { class: "live-hand" }));
    this.message = make("p", picture, { class: "live-message", role: "status", "aria-live": "polite" });
    const list = make("div", host, { class: "live-list" });
    this.rows = data.controls.map((control, k) => this.row(list, control, k));
    if (!data.controls.length) make("p", list, {}, "no joint of this robot moves");
    this.relabel();
  }

  hand(box) {
    const { data, calls } = this;
    if (!data.links.length) { box.hidden = true; return; }
    const label = make("label", box, {}, "drag ");
    this.chosen = make("select", label, { "aria-label": "the link to drag", title: "the link with the handles; a click on a link chooses it" });
    for (const link of data.links) make("option", this.chosen, { value: link }, link);
    this.chosen.onchange = () => calls.link(this.chosen.value);
    const keep = make("label", box, { title: "move without turning" });
    this.keep = make("input", keep, { type: "checkbox" });
    keep.append(" keep orientation");
    this.keep.onchange = () => calls.keep(this.keep.checked);
    const own = make("label", box, { title: "handles along the axes of the link instead of the world's" }), check = make("input", own, { type: "checkbox" });
    own.append(" link axes");
    check.onchange = () => calls.own(check.checked);
  }

  row(list, control, k) {
    const row = make("div", list, { class: "live-row" }), name = make("label", row, { class: "live-name", title: control.name }, control.name);
    const typed = make("input", row, { class: "live-typed", type: "text", inputmode: "decimal", "aria-label": `${control.name}, typed`, spellcheck: "false" });
    const unit = make("span", row, { class: "live-unit" });
    const range = make("div", row, { class: "live-range" }), low = make("span", range, { class: "live-low" });
    const slider = make("input", range, { class: "live-slider", type: "range", min: control.low, max: control.high, step: "any", "aria-label": control.name });
    const ends = [low, make("span", range, { class: "live-high" })];
    name.htmlFor = slider.id = `live-${k}`;
    slider.oninput = () => this.slide(k, Number(slider.value));
    slider.onchange = () => setTimeout(() => this.write(this.rows[k], this.values[k]), 200); // back to where the robot stayed, if it did
    typed.oninput = () => { this.rows[k].editing = true; };
    typed.onblur = () => { this.rows[k].editing = false; this.write(this.rows[k], this.values[k]); };
    typed.onchange = () => this.take(k, typed.value);
    typed.onkeydown = (event) => { if (event.key === "Escape") { this.back(k); typed.blur(); } };
    return { control, row, slider, typed, unit, ends, editing: false };
  }

  /** Takes a typed text, or says why not. */
  take(k, text) {
    const { control } = this.rows[k], value = typedNumber(text, control.unit, this.factor(control));
    this.back(k); // until the robot has moved
    if (Number.isFinite(value)) this.slide(k, value);
    else if (text.trim()) {
      const like = control.unit === "rad" ? "0.5, -pi/2 or 90deg" : "0.5 or 1e-3";
      this.refuse(`${control.name}: “${text.trim().slice(0, 40)}” is not a number such as ${like}`);
    }
  }

  /** Shows the robot's own value again. */
  back(k) {
    this.rows[k].editing = false;
    this.write(this.rows[k], this.values[k]);
  }

  factor(control) { return this.degrees && control.unit === "rad" ? DEGREES : 1; }

  /** A value for people: enough digits to be typed again without a visible change. */
  text(control, value) {
    const shown = value * this.factor(control), digits = this.factor(control) === 1 ? 4 : 2;
    return (Math.abs(shown) < 0.5 * 10 ** -digits ? 0 : shown).toFixed(digits);
  }

  relabel() {
    for (const { control, unit, ends } of this.rows) {
      unit.textContent = control.unit === "rad" && this.degrees ? "°" : control.unit;
      [control.lower, control.upper].forEach((limit, n) => {
        ends[n].textContent = limit === null ? ["−∞", "∞"][n] : Number(this.text(control, limit)).toString().replace("-", "−");
        ends[n].title = limit === null ? "no limit" : ["lower limit", "upper limit"][n];
      });
    }
    this.rows.forEach((row, k) => this.write(row, this.values[k]));
  }

  write({ control, slider, typed, editing }, value) {
    if (document.activeElement !== slider || !slider.matches(":active")) slider.value = value;
    if (!editing) typed.value = this.text(control, value); // not while somebody types
  }

  slide(k, value) {
    const values = this.values.slice();
    values[k] = value;
    this.calls.slide(k, values);
  }

  /** Shows an answer of the server (posing.py). */
  show(answer) {
    this.q = answer.q;
    this.values = answer.values;
    this.rows.forEach((row, k) => {
      this.write(row, answer.values[k]);
      row.row.classList.toggle("at-low", answer.sides[k] < 0);
      row.row.classList.toggle("at-high", answer.sides[k] > 0);
      row.slider.title = answer.sides[k] ? "at its limit" : "";
    });
    if (!answer.moved) this.refuse(answer.message);
    else if (answer.message || !this.refused) this.say(answer.message, !answer.reached);
    else this.past = true;
  }

  /** Says why something was not done; an answer to a later question does not take that away at once. */
  refuse(text) {
    this.rows.forEach((row, k) => this.write(row, this.values[k]));
    this.say(text, true);
    this.past = false;
    this.refused = setTimeout(() => { this.refused = 0; if (this.past) this.say("", false); }, STAYS);
  }

  say(text, bad) {
    clearTimeout(this.refused);
    this.refused = 0;
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.hidden = !text;
    this.message.classList.toggle("bad", !!bad);
  }

  /** Shows which link has the handles, and whether it can keep its orientation. */
  showLink(link, whole, keep) {
    this.chosen.value = link;
    this.keep.checked = keep;
    this.keep.parentElement.hidden = !whole;
  }

  async copy() {
    const text = `[${this.q.join(", ")}]`;
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch { done = this.copyByHand(text); }
    this.copying.textContent = done ? "copied" : "not copied";
    setTimeout(() => { this.copying.textContent = "copy q"; }, 1200);
  }

  /** Where the clipboard is kept from frames, as in notebooks. */
  copyByHand(text) {
    const area = make("textarea", this.host, {});
    area.value = text;
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  disable() { for (const input of this.host.querySelectorAll("input, button, select")) if (input !== this.copying) input.disabled = true; }
}
