// SPDX-License-Identifier: MIT OR Apache-2.0
// Elements without markup: every text reaches the page as text, whoever wrote it.

const packet = JSON.parse(document.getElementById("packet-data").textContent);
const packetHash = document.documentElement.dataset.packetSha256;
const LABELS = ["A", "B"];

/** An element with attributes (`on…` are listeners, false and null are left out) and children. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element of an id that the page itself made. */
function byId(id) {
  return document.getElementById(id);
}

/** A name such as `speaker_notes` as words. */
function words(name) {
  const text = name.replaceAll(/[_-]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A row of choices of which one is taken: real radio buttons under labels that look like one bar. */
function choices(group, description, options, chosen, choose) {
  const bar = el("div", { class: "choices", role: "radiogroup", "aria-label": description });
  for (const { value, text, title, tone } of options) {
    const id = `${group}.${value}`;
    const input = el("input", {
      type: "radio", name: group, id, value, checked: value === chosen, onchange: () => choose(value),
    });
    bar.append(input, el("label", { for: id, title, "data-tone": tone }, text));
  }
  return bar;
}

/** A message above everything, until it is dismissed. */
function banner(text, kind = "warning") {
  const close = el("button", { type: "button", onclick: () => note.remove() }, "Dismiss");
  const note = el("p", { class: "banner", "data-kind": kind }, text, " ", close);
  byId("banners").append(note);
}
