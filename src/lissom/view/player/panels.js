// What lies on the picture: title, views, layers, legend of arrows, names of frames, the name under the pointer.

class Panels {
  constructor(player) {
    this.player = player;
    const { view: parent, scene } = player;
    const side = element("div", { parent, class: "lissom-side" });
    if (scene.name) element("div", { parent: side, class: "lissom-title", text: scene.name });
    this.legend = element("div", { parent: side, class: "lissom-legend" });
    this.tools(parent);
    this.labels = element("div", { parent, class: "lissom-labels", "aria-hidden": "true" });
    this.names = this.frames();
    const texts = element("div", { parent, class: "lissom-labels lissom-whose" });
    this.whose = (scene.labels || []).map(([text, at]) => [at, element("span", { parent: texts, text })]);
    this.tip = element("div", { parent, class: "lissom-tip", role: "status", hidden: true });
    this.keys = [];
    this.legendRows();
  }

  tools(parent) {
    const { player } = this, box = element("div", { parent, class: "lissom-tools" });
    const row = element("div", { parent: box, class: "lissom-buttons", role: "group", "aria-label": "view" });
    button(row, "home", "whole scene (0)", () => player.home());
    for (const [k, axis] of ["x", "y", "z"].entries()) {
      button(row, axis, `view along ${axis} (${axis})`, () => player.look([0, 1, 2].map((i) => (i === k ? 1 : 0))));
    }
    button(row, "camera", "save a picture", () => player.picture());
    if (document.fullscreenEnabled) button(row, "full", "full screen (f)", () => player.fullScreen());
    if (player.scene.layers.length < 2) return;
    const fold = element("details", { parent: box, class: "lissom-layers" });
    element("summary", { parent: fold, title: "what is shown" }, icon("layers"), "layers");
    this.boxes = player.scene.layers.map((layer) => {
      const label = element("label", { parent: fold }), check = element("input", { parent: label, type: "checkbox" });
      check.checked = layer.shown;
      check.addEventListener("change", () => player.setLayer(layer.key, check.checked));
      label.append(layer.title);
      return [layer.key, check];
    });
  }

  /** One row for each layer and unit of arrows: forces and moments of a layer have scales of their own. */
  legendRows() {
    const { scene } = this.player, groups = new Map();
    for (const arrow of scene.arrows) {
      const { layer, unit: name, scale, color } = arrow, key = JSON.stringify([layer, name, scale]);
      if (!groups.has(key)) groups.set(key, { layer, unit: name, scale, color });
    }
    for (const group of groups.values()) {
      const row = element("div", { parent: this.legend, class: "lissom-key" });
      const bar = element("span", { parent: row, class: "lissom-length" });
      bar.style.color = css(group.color);
      const value = element("span", { parent: row, class: "lissom-value" });
      element("span", { parent: row, text: this.player.things.title(group.layer) });
      this.keys.push({ ...group, row, bar, value });
    }
  }

  /** Names of the bodies that have a frame drawn; where none has, of nobody. */
  frames() {
    const { scene } = this.player, drawn = scene.parts.filter((part) => part.layer === "frames");
    const bodies = new Set(drawn.map((part) => part.body));
    return [...bodies].slice(0, 300).map((body) => [body, element("span", { parent: this.labels, text: scene.bodies[body] })]);
  }

  /** Everything that depends on the camera, the time or the layers. */
  show() {
    const { player } = this, { camera, things, motion } = player, pixel = camera.pixel(camera.target);
    for (const { layer, scale, unit: name, row, bar, value } of this.keys) {
      row.hidden = things.shown[layer] === false;
      const amount = nice(70 * pixel / scale), text = `${amount} ${name}`;
      bar.style.width = `${(100 * amount * scale / pixel / camera.width).toFixed(3)}cqw`; // of the player's width, on paper too
      if (value.textContent !== text) value.textContent = text;
    }
    this.legend.hidden = !this.keys.some(({ row }) => !row.hidden);
    this.labels.hidden = things.shown.frames !== true;
    if (!this.labels.hidden) {
      for (const [body, label] of this.names) {
        const [x, y, depth] = camera.project(motion.matrix(body).slice(12, 15));
        label.hidden = depth <= 0;
        label.style.left = `${(100 * x / camera.width).toFixed(2)}%`; // not pixels: on paper the picture has another size
        label.style.top = `${(100 * y / camera.height).toFixed(2)}%`;
      }
    }
    for (const [at, label] of this.whose) {
      const [x, y, depth] = camera.project(at);
      label.hidden = depth <= 0;
      label.style.left = `${clamp(100 * x / camera.width, 4, 96).toFixed(2)}%`;
      label.style.top = `${clamp(100 * y / camera.height, 9, 97).toFixed(2)}%`;
    }
    for (const [key, check] of this.boxes || []) check.checked = things.shown[key] !== false;
  }

  /** Shows what is under the pointer: {name, body, value} and where, or nothing. */
  point(thing, place) {
    this.tip.hidden = !thing || !place;
    if (this.tip.hidden) return;
    const { camera } = this.player, lines = [thing.name];
    if (thing.body && thing.body !== thing.name) lines.push(thing.body);
    if (thing.value) lines.push(thing.value);
    if (this.tip.textContent !== lines.join("")) {
      this.tip.replaceChildren(...lines.map((text) => element("div", { text })));
    }
    const left = place[0] > camera.width * 0.6 ? "calc(-100% - 12px)" : "14px"; // beside the pointer, inside of the picture
    const above = place[1] > camera.height * 0.7 ? "calc(-100% - 8px)" : "14px";
    this.tip.style.transform = `translate(${place.map((x) => `${x.toFixed(0)}px`)}) translate(${left}, ${above})`;
  }
}

/** 1, 2 or 5 times a power of ten, the nearest below 1.4 x. */
function nice(x) {
  const power = 10 ** Math.floor(Math.log10(1.4 * x)), lead = 1.4 * x / power;
  return Number(((lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power).toPrecision(1));
}
