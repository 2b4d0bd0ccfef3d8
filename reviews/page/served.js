// SPDX-License-Identifier: MIT OR Apache-2.0
// What the page does more when `deckproof review open` serves it: answers are kept by the program
// too, and the response is handed in without a file. The page of a packet never holds this script.

const SETTLE_MS = 300;
let kept = "yes";
let keeping = false;
let keepAgain = false;
let settle = 0;

/** Sends the answers a moment after the last change, one request at a time. */
function keepSoon() {
  kept = "soon";
  showKept();
  clearTimeout(settle);
  settle = setTimeout(keep, SETTLE_MS);
}

async function keep() {
  if (keeping) {
    keepAgain = true;
    return;
  }
  keeping = true;
  try {
    const body = JSON.stringify({ packet_sha256: packetHash, answers });
    const answer = await fetch("draft", { method: "PUT", body });
    kept = answer.ok ? "yes" : "no";
  } catch {
    kept = "no";
  }
  keeping = false;
  showKept();
  if (keepAgain) {
    keepAgain = false;
    keepSoon();
  }
}

function showKept() {
  const texts = { yes: "Saved by deckproof", soon: "Saving…", no: "Not saved by deckproof: is it still running? This browser has it." };
  byId("saved").textContent = texts[kept];
  byId("saved").classList.toggle("bad", kept === "no");
}

/** Hands the response in. What is refused is shown, and the form stays as it is. */
async function handIn() {
  let answer;
  try {
    answer = await fetch("response", { method: "POST", body: response() });
  } catch {
    return told("Not handed in", "Deckproof does not answer. Start `deckproof review open` again; your answers are kept.");
  }
  const text = await answer.text();
  if (!answer.ok) return told("Not accepted", text);
  removeEventListener("beforeunload", leaving);
  handedIn = true;
  return told("Done", text);
}

let handedIn = false;

function told(title, text) {
  const box = dialog(title, el("p", { id: "told" }, text));
  box.querySelector(".close").focus();
}

function leaving(event) {
  if (kept !== "yes" && !handedIn) event.preventDefault();
}

writeResponse = handIn;
HAND_IN.text = "Hand the review in";
listeners.push(keepSoon);
showKept();
addEventListener("beforeunload", leaving);
