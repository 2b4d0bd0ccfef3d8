// SPDX-License-Identifier: MIT OR Apache-2.0
// The page as a whole: its head, its keys, help, and the way to the response file.

const KEYS = [
  ["← →, Page Up, Page Down", "slide before, slide after"],
  ["Home, End", "first slide, last slide"],
  ["1 2 3 4 5", "side by side, stacked, slider, flicker, difference"],
  ["+ − 0 9", "zoom in, zoom out, fit, pixel by pixel"],
  ["Shift + ← ↑ → ↓", "move the slides while zoomed"],
  ["A B", "slider and flicker: A in front, B in front"],
  ["Space, P", "flicker: swap, swap once a second"],
  [", .", "pair A with the slide of B before, after"],
  ["[ ]", "panel before, panel after"],
  ["N", "next open question"],
  ["H", "hide and show the panels"],
  ["Esc", "from a field back to the slides"],
  ["Ctrl + Enter", "finish the review"],
  ["?", "this help"],
];

// What the last button says; whoever serves the page may take the response directly.
const HAND_IN = { text: "Write the response file" };

let keysOn = true;

function buildHead() {
  byId("head").append(
    el("h1", {}, "Deck review"),
    el("p", { class: "muted", title: `Packet ${packet.packet}` }, `Packet ${packet.packet.slice(0, 8)}`),
    el("div", { class: "progress" },
      el("progress", { id: "progress", max: questionCount(), value: 0, "aria-labelledby": "progress.text" }),
      el("span", { id: "progress.text" })),
    el("span", { id: "saved", class: "muted", role: "status" }),
    el("button", { type: "button", onclick: nextOpen, title: "Key N" }, "Next open question"),
    el("button", { type: "button", onclick: togglePanels, title: "Key H" }, "Panels"),
    el("button", { type: "button", onclick: help, title: "Key ?" }, "Help"),
    el("button", { type: "button", class: "primary", onclick: finish, title: "Ctrl + Enter" }, "Finish…"));
}

function updateProgress(open) {
  const all = questionCount();
  byId("progress").value = all - open;
  byId("progress.text").textContent = `${all - open} of ${all}`;
  const texts = { saved: "Saved in this browser", restored: "Restored from this browser", "not saved": "Not saved: keep this page open" };
  byId("saved").textContent = texts[saved] ?? "";
  byId("saved").classList.toggle("bad", saved === "not saved");
}

function togglePanels() {
  document.body.classList.toggle("bare");
}

function nextOpen() {
  const [first] = openQuestions();
  if (!first) return finish();
  document.body.classList.remove("bare");
  focusQuestion(first.id);
}

/** A dialog with a title; Escape and the close button end it, and focus goes back. */
function dialog(title, ...content) {
  const box = el("dialog", { "aria-label": title, onclose: () => box.remove() });
  const close = el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => box.close() }, "×");
  box.append(el("header", {}, el("h2", {}, title), close), ...content);
  document.body.append(box);
  box.showModal();
  return box;
}

function help() {
  const single = el("input", { type: "checkbox", id: "keys-on", checked: keysOn, onchange: (event) => { keysOn = event.target.checked; } });
  dialog("Help",
    el("p", {}, "Two decks did the same job. Look at both, read what was asked for, and judge each by itself. Answers are kept in this browser as you type; at the end you get one file to hand back."),
    el("h3", {}, "Keys"),
    el("dl", { class: "keys" }, KEYS.map(([keys, text]) => [el("dt", {}, keys), el("dd", {}, text)])),
    el("p", {}, "Mouse: the wheel zooms at the pointer, dragging moves the slides or the slider's edge, a double click goes to pixel by pixel and back."),
    el("p", {}, single, " ", el("label", { for: "keys-on" }, "Keys without Ctrl are on")),
    el("p", { class: "end" }, el("button", { type: "button", onclick: askStartOver }, "Delete all my answers…")));
}

function askStartOver() {
  const box = dialog("Delete all answers?",
    el("p", {}, "Everything that you have entered for this packet goes. This cannot be undone."),
    el("p", { class: "end" },
      el("button", { type: "button", onclick: () => box.close() }, "Keep them"),
      el("button", { type: "button", class: "danger", onclick: () => { startOver(); location.reload(); } }, "Delete them")));
}

/** Says what is missing, or shows the whole review once more before it is written. */
function finish() {
  const open = openQuestions();
  if (open.length > 0) return listOpen(open);
  const box = dialog("Your review", reviewTable(),
    el("p", {}, el("strong", {}, "Compared: "), cleaned(answers.overall)),
    el("p", {}, el("strong", {}, "Guess of the newer deck: "), answers.guess === NO_GUESS ? "none" : answers.guess, " · ", el("strong", {}, "Reviewer: "), cleaned(answers.reviewer)),
    el("p", { class: "end" },
      el("button", { type: "button", onclick: () => box.close() }, "Go on judging"),
      el("button", { type: "button", id: "write", class: "primary", onclick: () => { box.close(); writeResponse(); } }, HAND_IN.text)));
  byId("write").focus();
}

function listOpen(open) {
  const go = (id) => () => { box.close(); focusQuestion(id); };
  const title = open.length === 1 ? "One thing is missing" : `${open.length} things are missing`;
  const box = dialog(title, el("p", {}, "The review can be finished when these are there:"),
    el("ul", { id: "open-list" }, open.map(({ id, text }) => el("li", {}, el("button", { type: "button", class: "link", onclick: go(id) }, text)))));
  box.querySelector(".link").focus();
}

function reviewTable() {
  const cell = (label, name) => {
    const { score, pass } = answers.labels[label][name];
    return el("td", { class: pass ? "" : "bad" }, `${score} · ${pass ? "acceptable" : "not acceptable"}`);
  };
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, "Dimension"), LABELS.map((label) => el("th", {}, label)))),
    el("tbody", {}, packet.form.dimensions.map(({ name }) => el("tr", {}, el("th", { scope: "row" }, words(name)), LABELS.map((label) => cell(label, name))))));
}

/** Hands the response to the browser's downloads; its text is there to copy too. */
function writeResponse() {
  const text = response();
  const name = `response-${packet.packet}.json`;
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  const area = el("textarea", { id: "response-text", rows: 12, readonly: true, "aria-label": "The response's text" });
  area.value = text;
  dialog("Done",
    el("p", {}, "Your response is in the browser's downloads as ", el("code", {}, name), ". Hand it back just as it is; whoever sent you the packet files it."),
    el("details", {}, el("summary", {}, "No download? Copy the text"), area),
    el("p", {}, "You can still change your answers here and write the file again, as long as you have not handed it back."));
}

const TYPING = "textarea, input[type=text], input[type=number]";

function key(event) {
  if (event.ctrlKey && event.key === "Enter") return finish();
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const at = event.target;
  if (at.matches?.(TYPING)) {
    if (event.key === "Escape") byId("stage").focus();
    return;
  }
  const action = keyAction(event, at);
  if (action) {
    event.preventDefault();
    action();
  }
}

function keyAction(event, at) {
  const own = at.matches?.("input[type=radio], input[type=range], [role=tab]");
  const reading = at.matches?.(".panel");
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key in moves && !own) {
    const [x, y] = moves[event.key];
    if (event.shiftKey) return () => panBy(x * 0.1, y * 0.1);
    return y === 0 ? () => goTo(view.slide + x) : null;
  }
  if (!reading && !own) {
    const places = { PageUp: view.slide - 1, PageDown: view.slide + 1, Home: 1, End: positions() };
    if (event.key in places) return () => goTo(places[event.key]);
  }
  if (event.key === "Escape") return () => byId("stage").focus();
  if (!keysOn) return null;
  if (event.key === " ") return view.mode === "flicker" && !own && !at.matches?.("button, summary, a") ? flip : null;
  return letterAction(event.key.toLowerCase());
}

function letterAction(key) {
  const mode = MODES[Number(key) - 1];
  if (mode) return () => setMode(mode.value);
  return {
    "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), "0": zoomFit, "9": zoomFull,
    a: () => bringForward("A"), b: () => bringForward("B"), p: togglePlay,
    ",": () => setShift(-1), ".": () => setShift(1),
    "[": () => stepTab(-1), "]": () => stepTab(1),
    n: nextOpen, h: togglePanels, "?": help,
  }[key];
}

restore();
buildHead();
buildViewer();
buildPanels();
buildJudge();
showTab(answers.reviewer === "" ? "task" : "judge");
showView();
document.addEventListener("keydown", key);
window.addEventListener("storage", (event) => {
  if (event.key === STORE) banner("This packet is open in another tab, which has just saved other answers. Close one of the two and reload the other.");
});
window.addEventListener("beforeunload", (event) => {
  if (saved === "not saved") event.preventDefault();
});
