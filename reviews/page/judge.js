// SPDX-License-Identifier: MIT OR Apache-2.0
// The form: who judges, the guess, each dimension for A and for B, and the comparison in words.

const PASSES = [
  { value: "true", text: "Acceptable", tone: "good" },
  { value: "false", text: "Not", tone: "bad" },
];

function buildJudge() {
  byId("judge").replaceChildren(
    el("h2", {}, "Judge"),
    reviewerCard(), guessCard(), ...packet.form.dimensions.map(dimensionCard), overallCard(),
    el("div", { class: "end" }, el("button", { type: "button", class: "primary", onclick: finish }, "Finish the review…")));
  listeners.push(updateJudge);
  updateJudge();
}

function reviewerCard() {
  return el("section", { class: "card" },
    el("label", { for: "reviewer", class: "title" }, "Your name"),
    el("p", { class: "hint", id: "reviewer.hint" }, "As you use it for every packet that you judge."),
    el("input", { id: "reviewer", type: "text", autocomplete: "name", maxlength: LONGEST_NAME, "aria-describedby": "reviewer.hint", value: answers.reviewer, oninput: (event) => answer((all) => { all.reviewer = event.target.value; }) }));
}

function guessCard() {
  const options = [{ value: "A", text: "A" }, { value: "B", text: "B" }, { value: NO_GUESS, text: "No guess" }];
  return el("section", { class: "card", id: "guess" },
    el("p", { class: "title" }, "Which deck do you take for the newer one?"),
    el("p", { class: "hint", id: "guess.hint" }),
    choices("guess", "Which deck do you take for the newer one", options, answers.guess, (value) => answer((all) => { all.guess = value; })));
}

function dimensionCard(dimension) {
  const { name, question } = dimension;
  const anchors = Object.entries(dimension.anchors).sort(([a], [b]) => Number(a) - Number(b));
  return el("section", { class: "card", "aria-labelledby": `dimension.${name}` },
    el("h3", { class: "title", id: `dimension.${name}` }, words(name)),
    question ? el("p", { class: "question" }, question) : null,
    anchors.length > 0 ? el("dl", { class: "anchors" }, anchors.map(([score, text]) => [el("dt", {}, score), el("dd", {}, text)])) : null,
    el("div", { class: "columns" }, LABELS.map((label) => judgement(dimension, label))));
}

function judgement({ name, anchors }, label) {
  const own = answers.labels[label][name];
  const id = `${label}.${name}`;
  const change = (set) => answer((all) => set(all.labels[label][name]));
  const said = own.pass === null ? null : String(own.pass);
  return el("fieldset", { "data-label": label, "aria-label": `${words(name)} of ${label}` },
    el("div", { class: "badge", "aria-hidden": "true" }, label),
    el("div", { id: `score.${id}`, tabindex: -1 }, scoreInput(name, label, anchors, own, change)),
    el("div", { id: `pass.${id}`, tabindex: -1 }, choices(`pass.${id}`, `Is ${label} acceptable in ${words(name)}`, PASSES, said, (value) => change((it) => { it.pass = value === "true"; }))),
    rationale(`rationale.${id}`, `Reason for ${label}, ${words(name)}`, own.rationale, (text) => change((it) => { it.rationale = text; })));
}

/** A bar for a short scale, a number field for a long one. */
function scoreInput(name, label, anchors, own, change) {
  const { score_min: low, score_max: high } = packet.form;
  const title = `Score of ${label} in ${words(name)}`;
  if (high - low > 10) {
    const set = (event) => {
      const value = event.target.value === "" ? null : Number(event.target.value);
      event.target.setAttribute("aria-invalid", value !== null && !isScore(value));
      change((it) => { it.score = isScore(value) ? value : null; });
    };
    return el("input", { type: "number", min: low, max: high, step: 1, placeholder: `${low} to ${high}`, "aria-label": title, value: own.score, oninput: set });
  }
  const options = [];
  for (let score = low; score <= high; score += 1) {
    options.push({ value: String(score), text: String(score), title: anchors[score] });
  }
  const chosen = own.score === null ? null : String(own.score);
  return choices(`score.${label}.${name}`, title, options, chosen, (value) => change((it) => { it.score = Number(value); }));
}

function rationale(id, title, text, change) {
  const grow = (area) => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  };
  const area = el("textarea", { id, rows: 3, "aria-label": title, "aria-describedby": `${id}.note`, placeholder: "Why?", spellcheck: "true", oninput: () => { change(area.value); grow(area); } });
  area.value = text;
  requestAnimationFrame(() => grow(area));
  return el("div", { class: "rationale" }, area, el("p", { class: "note", id: `${id}.note`, "data-for": id }));
}

function overallCard() {
  return el("section", { class: "card" },
    el("label", { for: "overall", class: "title" }, "A and B compared, in your own words"),
    rationale("overall", "A and B compared, in your own words", answers.overall, (text) => answer((all) => { all.overall = text; })));
}

/** What changes with every answer: the guess's lock, the notes under texts, the progress. */
function updateJudge() {
  const closed = guessClosed();
  const waiting = answers.guess === null && !closed;
  byId("guess.hint").textContent = closed
    ? "Closed with your first score."
    : "The scores open with your answer, and the first score closes it, so that neither colours the other. It counts for nothing but the blinding.";
  for (const input of byId("guess").querySelectorAll("input")) input.disabled = closed && answers.guess !== null;
  for (const input of byId("judge").querySelectorAll("[id^='score.'] input")) input.disabled = waiting;
  byId("judge").classList.toggle("waiting", waiting);
  const open = openQuestions();
  const faults = new Map(open.map(({ id, fault }) => [id, fault]));
  for (const note of byId("judge").querySelectorAll(".note")) {
    const { value, id } = byId(note.dataset.for);
    note.textContent = value === "" ? "" : faults.get(id) ?? "";
    byId(id).setAttribute("aria-invalid", note.textContent !== "");
  }
  updateProgress(open.length);
}

/** Brings a question into sight and the keyboard to it. */
function focusQuestion(id) {
  if (!wide.matches) showTab("judge");
  const place = byId(id);
  const target = place.matches("input, textarea") ? place : place.querySelector("input:checked, input") ?? place;
  place.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}
