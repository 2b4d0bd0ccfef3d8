// SPDX-License-Identifier: MIT OR Apache-2.0
// What was asked for, as tabs: requirements, brief, amendments, assets and the reviewer's own task.
// On a narrow screen the judgement is a tab too; on a wide one it stands beside them.

const SHOWN = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "svg"];
const wide = matchMedia("(min-width: 1700px)");
const tabs = [];
let openTab = "judge";

function buildPanels() {
  const add = (id, text, ...content) => tabs.push({ id, text, content });
  add("task", "Task", el("h2", {}, "Your task"), el("p", { class: "lead" }, packet.mode), readable(packet.prompt));
  add("requirements", "Requirements", el("h2", {}, "Requirements"), jsonDocument(packet.requirements));
  add("brief", "Brief", el("h2", {}, "Brief"), readable(packet.brief));
  add("amendments", `Amendments (${packet.amendments.length})`, el("h2", {}, "Amendments, in their order"), amendments());
  add("assets", `Assets (${packet.assets.length})`, el("h2", {}, "Source assets"), assets());
  const list = el("div", { id: "tabs", role: "tablist", "aria-label": "Panels", onkeydown: tabKey });
  list.append(tabButton("judge", "Judge"), ...tabs.map((tab) => tabButton(tab.id, tab.text)));
  const panels = tabs.map((tab) => el("section", { id: `panel.${tab.id}`, class: "panel", role: "tabpanel", tabindex: 0, "aria-labelledby": `tab.${tab.id}` }, ...tab.content));
  byId("documents").append(list, ...panels);
  wide.addEventListener("change", () => showTab(openTab));
}

function tabButton(id, text) {
  return el("button", { type: "button", role: "tab", id: `tab.${id}`, "aria-controls": id === "judge" ? "judge" : `panel.${id}`, onclick: () => showTab(id) }, text);
}

function amendments() {
  if (packet.amendments.length === 0) return el("p", { class: "muted" }, "There are none.");
  return packet.amendments.map(({ kind, text }, at) => el("section", { class: "item" },
    el("h3", {}, `Amendment ${at + 1}`),
    kind === "json" ? jsonDocument(text) : kind === "md" ? readable(text) : el("pre", {}, text)));
}

function assets() {
  if (packet.assets.length === 0) return el("p", { class: "muted" }, "There are none.");
  return packet.assets.map(({ path, name }) => {
    const picture = SHOWN.includes(path.split(".").at(-1)) ? el("img", { src: path, alt: `Source asset ${name || path}` }) : null;
    return el("figure", { class: "asset" }, picture, el("figcaption", {}, name ? `${name} · ` : "", el("a", { href: path, target: "_blank", rel: "noopener" }, path)));
  });
}

/** Opens a tab. On a wide screen the judgement is always seen, and its tab is not. */
function showTab(id) {
  openTab = id;
  document.body.classList.toggle("wide", wide.matches);
  const shown = wide.matches && id === "judge" ? tabs[1].id : id;
  byId("tab.judge").hidden = wide.matches;
  byId("judge").hidden = !wide.matches && id !== "judge";
  for (const button of byId("tabs").children) {
    const selected = button.id === `tab.${shown}`;
    button.setAttribute("aria-selected", selected);
    button.tabIndex = selected ? 0 : -1;
  }
  for (const tab of tabs) byId(`panel.${tab.id}`).hidden = tab.id !== shown;
  byId("documents").classList.toggle("bare", !wide.matches && id === "judge");
  markRequirement(view.slide);
}

function visibleTabs() {
  return [...byId("tabs").children].filter((button) => !button.hidden);
}

function stepTab(step) {
  const buttons = visibleTabs();
  const at = buttons.findIndex((button) => button.getAttribute("aria-selected") === "true");
  const next = buttons[(at + step + buttons.length) % buttons.length];
  showTab(next.id.slice("tab.".length));
  return next;
}

function tabKey(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  event.stopPropagation();
  stepTab(steps[event.key]).focus();
}

/** Marks what is required of the slide that is shown. */
function markRequirement(slide) {
  const panel = byId("panel.requirements");
  if (!panel) return;
  for (const item of panel.querySelectorAll("[data-slide]")) {
    const current = Number(item.dataset.slide) === slide;
    item.classList.toggle("current", current);
    if (current && !panel.hidden) panel.scrollTop = offsetWithin(item, panel) - 8;
  }
}

function offsetWithin(item, panel) {
  return item.getBoundingClientRect().top - panel.getBoundingClientRect().top + panel.scrollTop;
}
