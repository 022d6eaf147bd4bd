// Elements of the page. Data of a scene becomes text only through textContent, so that no name is ever read as markup.

function element(tag, { parent, text, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  if (parent) parent.append(made);
  return made;
}

// Paths in a square of 24 by 24, drawn with round strokes.
const ICONS = {
  play: "M8 5.5v13l10.5-6.5z", pause: "M8.5 6v12M15.5 6v12", back: "M17 6l-8 6 8 6zM6.5 6v12", forward: "M7 6l8 6-8 6zM17.5 6v12",
  loop: "M17 3.5l3 3-3 3M4 11.5v-1a4 4 0 0 1 4-4h12M7 20.5l-3-3 3-3M20 12.5v1a4 4 0 0 1-4 4H4",
  home: "M4 11.5l8-7 8 7M6.5 10v9.5h11V10", full: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  camera: "M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4zM12 16.2a3.1 3.1 0 1 0 0-6.2 3.1 3.1 0 0 0 0 6.2",
  layers: "M12 4l9 4.8-9 4.8-9-4.8zM3.5 13.2l8.5 4.5 8.5-4.5",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon (or a letter) and a title; `press` is called on click. */
function button(parent, name, title, press) {
  const made = element("button", { parent, type: "button", title, "aria-label": title }, ICONS[name] ? icon(name) : name);
  made.addEventListener("click", press);
  return made;
}

function setIcon(made, name, title) {
  made.replaceChildren(icon(name));
  made.title = title;
  made.setAttribute("aria-label", title);
}

/** red, green, blue from 0 to 1 as a CSS color. */
const css = (color) => `rgb(${color.slice(0, 3).map((x) => Math.round(255 * x)).join(" ")})`;
