// SPDX-License-Identifier: MIT OR Apache-2.0
// What the reviewer has said so far: kept in the browser at every keystroke, checked, written out.

const STORE = `deckproof.review.v1.${packet.packet}`;
const NO_GUESS = "none";
// Texts that the response's reader refuses; said here while they are easy to mend.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|(?![\n\t])\p{Cc}/gu;
const PLACEHOLDER = /^(todo|tb[dac]|fixme|n\/a|n\.a|null|nil|none|undefined|unknown|anonymous|placeholder|example|insert|fill( me)? in|(change|replace)[ _]?me|your[ -](name|id)|reviewer id|[<[{].*[>\]}])[.:!?…]*$/is;
const DIFFERENT_LETTERS = 5;
const LONGEST_TEXT = 20000;
const LONGEST_NAME = 200;

const listeners = [];
let answers = freshAnswers();
let saved = "not yet";

function freshAnswers() {
  const judgements = () => Object.fromEntries(packet.form.dimensions.map((each) => [each.name, { score: null, pass: null, rationale: "" }]));
  return { reviewer: "", thread: newThread(), guess: null, labels: { A: judgements(), B: judgements() }, overall: "" };
}

/** A session that no other packet and no other reviewer has. */
function newThread() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Changes the answers, saves them and tells everyone who shows them. */
function answer(change) {
  change(answers);
  save();
  listeners.forEach((listener) => listener());
}

function save() {
  try {
    localStorage.setItem(STORE, JSON.stringify({ packet_sha256: packetHash, answers }));
    saved = "saved";
  } catch {
    saved = "not saved";
  }
}

/** Takes what an earlier visit left; says so when there is something that cannot be taken. */
function restore() {
  let stored;
  try {
    stored = JSON.parse(localStorage.getItem(STORE));
  } catch {
    return banner("This browser keeps nothing for this page, so answers last only as long as the page stays open.");
  }
  if (stored === null) return save();
  if (stored.packet_sha256 !== packetHash) {
    return banner("Answers were saved here for another version of this packet. They are not used, and go with your first new answer.");
  }
  adopt(stored.answers);
  saved = "restored";
}

/** Only what has the right type is taken: other pages may have written here. */
function adopt(stored) {
  const text = (value) => (typeof value === "string" ? value : "");
  answers.reviewer = text(stored?.reviewer);
  answers.overall = text(stored?.overall);
  if (/^page-[0-9a-f]{32}$/.test(text(stored?.thread))) answers.thread = stored.thread;
  if ([...LABELS, NO_GUESS].includes(stored?.guess)) answers.guess = stored.guess;
  for (const label of LABELS) {
    for (const [name, own] of Object.entries(answers.labels[label])) {
      const other = stored?.labels?.[label]?.[name];
      if (isScore(other?.score)) own.score = other.score;
      if (typeof other?.pass === "boolean") own.pass = other.pass;
      own.rationale = text(other?.rationale);
    }
  }
}

function isScore(value) {
  return Number.isInteger(value) && value >= packet.form.score_min && value <= packet.form.score_max;
}

/** Forgets everything, with a new session. */
function startOver() {
  answers = freshAnswers();
  save();
}

/** Whether a score has been given: from then on the guess stands. */
function guessClosed() {
  return LABELS.some((label) => Object.values(answers.labels[label]).some((each) => each.score !== null));
}

/** A text as it goes into the response: without what no reader sees. */
function cleaned(text) {
  return text.replaceAll("\r\n", "\n").replaceAll(INVISIBLE, "").trim();
}

function letters(text) {
  return cleaned(text).match(/[\p{Alphabetic}\p{N}]/gu) ?? [];
}

/** One form of a text, in which case and punctuation make no difference. */
function folded(text) {
  return cleaned(text).toLowerCase().split(/[^\p{Alphabetic}\p{N}]+/u).filter((word) => word !== "").join(" ");
}

/** What a rationale lacks, or null. */
function rationaleFault(text) {
  const found = letters(text);
  const least = packet.form.min_rationale_chars;
  if (found.length === 0) return "is missing";
  if (PLACEHOLDER.test(cleaned(text))) return "is a placeholder";
  if (found.length < least) return `has ${found.length} letters; ${least} are the least`;
  if (new Set(found).size < Math.min(DIFFERENT_LETTERS, least)) return "is no sentence";
  if ([...cleaned(text)].length > LONGEST_TEXT) return `is longer than ${LONGEST_TEXT} characters`;
  return null;
}

function reviewerFault() {
  const name = cleaned(answers.reviewer);
  if (letters(name).length === 0) return "is missing";
  if (PLACEHOLDER.test(name)) return "is a placeholder";
  if ([...name].length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  return /\n|\t/.test(name) ? "has more than one line" : null;
}

/** Everything that keeps the review from being finished: where it is asked, and what to say. */
function openQuestions() {
  const open = [];
  const add = (id, what, fault) => {
    if (fault) open.push({ id, fault: `This ${fault}.`, text: `${what} ${fault}` });
  };
  const missing = (value) => (value === null ? "is missing" : null);
  add("reviewer", "Your name", reviewerFault());
  add(`guess.${LABELS[0]}`, "The guess, or “no guess”,", missing(answers.guess));
  for (const { name } of packet.form.dimensions) {
    for (const label of LABELS) {
      const { score, pass, rationale } = answers.labels[label][name];
      const [id, where] = [`${label}.${name}`, `${words(name)}, ${label}:`];
      add(`score.${id}`, `${where} the score`, missing(score));
      add(`pass.${id}`, `${where} acceptable or not`, missing(pass));
      add(`rationale.${id}`, `${where} the reason`, rationaleFault(rationale) ?? twinFault(label, name, rationale));
    }
  }
  add("overall", "The comparison in your own words", rationaleFault(answers.overall));
  return open;
}

/** One reason for two dimensions of a deck is a reason for neither. */
function twinFault(label, name, rationale) {
  const others = Object.entries(answers.labels[label]).filter(([other]) => other !== name);
  const twin = others.find(([, other]) => folded(other.rationale) === folded(rationale));
  return twin ? `is that of ${words(twin[0])} again` : null;
}

/** How many things are asked for in all. */
function questionCount() {
  return 3 + packet.form.dimensions.length * LABELS.length * 3;
}

/** The response file's text. */
function response() {
  const labels = {};
  for (const label of LABELS) {
    const judged = packet.form.dimensions.map(({ name }) => {
      const { score, pass, rationale } = answers.labels[label][name];
      return [name, { score, pass, rationale: cleaned(rationale) }];
    });
    labels[label] = { dimensions: Object.fromEntries(judged) };
  }
  const document = {
    schema: "deckproof.response.v1",
    packet: packet.packet,
    packet_sha256: packetHash,
    reviewer: { type: "human", id: cleaned(answers.reviewer), model: null, thread: answers.thread },
    labels,
    overall_rationale: cleaned(answers.overall),
    guess: answers.guess === NO_GUESS ? null : answers.guess,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
