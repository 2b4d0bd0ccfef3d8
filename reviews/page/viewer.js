// SPDX-License-Identifier: MIT OR Apache-2.0
// The slides of both decks in five arrangements, with one zoom and one place for both.

const MODES = [
  { value: "side", text: "Side by side" },
  { value: "stack", text: "Stacked" },
  { value: "slider", text: "Slider" },
  { value: "flicker", text: "Flicker" },
  { value: "difference", text: "Difference" },
];
const MAX_ZOOM = 10;
const SLIDE = { width: 1280, height: 720 };

const view = {
  slide: 1, // position in the strip, from 1
  shift: 0, // how many slides B is ahead of A
  mode: "side",
  zoom: 1, // 1 fits the pane
  x: 0.5, y: 0.5, // the place in the slide that the pane's middle shows
  split: 50, // the slider, in per cent
  front: "A", // flicker: which is seen
  playing: null, // flicker: the timer
};
const panes = {};

/** The slide of a label that is shown, from 1; it may be beyond the deck. */
function shownSlide(label) {
  return label === "A" ? view.slide : view.slide + view.shift;
}

function positions() {
  return Math.max(packet.slides.A, packet.slides.B - view.shift, 1);
}

function picturePath(label, number) {
  return `${label}/slide-${String(number).padStart(3, "0")}.png`;
}

function hasSlide(label, number) {
  return number >= 1 && number <= packet.slides[label];
}

function buildViewer() {
  const stage = el("div", { id: "stage", tabindex: 0, role: "group", "aria-label": "Slides A and B. Arrow keys change the slide, plus and minus zoom." });
  for (const label of LABELS) {
    const picture = el("img", { draggable: "false", onerror: () => broken(label), onload: () => panes[label].port.classList.remove("broken") });
    const absent = el("p", { class: "absent" });
    const port = el("div", { class: "port" }, picture, absent);
    panes[label] = { port, picture, absent };
    stage.append(el("figure", { class: "pane", "data-label": label }, el("figcaption", {}, label), port));
  }
  stage.append(el("div", { id: "divider", "aria-hidden": "true" }));
  byId("viewer").append(toolbar(), stage, el("nav", { id: "strip", "aria-label": "Slide strip" }));
  byId("viewer").append(el("p", { id: "place", class: "unseen", "aria-live": "polite" }));
  handlePointer(stage);
  new ResizeObserver(placePictures).observe(stage);
  fillStrip();
}

function toolbar() {
  const button = (id, text, title, act) => el("button", { type: "button", id, title, "aria-label": title, onclick: act }, text);
  return el("div", { id: "tools" },
    choices("mode", "How the slides are shown", MODES.map((mode, at) => ({ ...mode, title: `Key ${at + 1}` })), view.mode, setMode),
    el("div", { class: "group", role: "group", "aria-label": "Zoom" },
      button("zoom-out", "−", "Zoom out (key −)", () => zoomBy(1 / 1.25)),
      el("output", { id: "zoom" }),
      button("zoom-in", "+", "Zoom in (key +)", () => zoomBy(1.25)),
      button("zoom-fit", "Fit", "Fit the slide (key 0)", zoomFit),
      button("zoom-full", "1:1", "One screen pixel a pixel (key 9)", zoomFull)),
    el("div", { class: "group", id: "slider-tools" },
      el("label", { for: "split" }, "A"),
      el("input", { type: "range", id: "split", min: 0, max: 100, value: view.split, "aria-label": "How much of A is seen, in per cent", oninput: (event) => setSplit(Number(event.target.value)) }),
      el("label", { for: "split" }, "B")),
    el("div", { class: "group", id: "flicker-tools" },
      button("flip", "Swap", "Swap A and B (space bar)", flip),
      button("play", "Play", "Swap once a second (key P)", togglePlay)),
    el("div", { class: "group", role: "group", "aria-label": "Pairing" },
      button("shift-back", "◂", "Pair with the slide of B before (key ,)", () => setShift(-1)),
      el("output", { id: "shift" }),
      button("shift-on", "▸", "Pair with the slide of B after (key .)", () => setShift(1))));
}

function fillStrip() {
  const strip = byId("strip");
  strip.replaceChildren();
  for (let at = 1; at <= positions(); at += 1) {
    const thumbs = LABELS.map((label) => {
      const number = label === "A" ? at : at + view.shift;
      const path = picturePath(label, number);
      return hasSlide(label, number) ? el("img", { src: path, alt: "", loading: "lazy", "data-label": label }) : el("span", { class: "hole" });
    });
    strip.append(el("button", { type: "button", "data-at": at, "aria-label": `Slide ${at}`, onclick: () => goTo(at) }, thumbs, el("span", {}, String(at))));
  }
}

/** Shows what `view` says. */
function showView() {
  const stage = byId("stage");
  stage.dataset.mode = view.mode;
  stage.dataset.front = view.front;
  for (const label of LABELS) showPicture(label);
  for (const button of byId("strip").children) {
    const current = Number(button.dataset.at) === view.slide;
    button.setAttribute("aria-current", current);
    if (current) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  byId("slider-tools").hidden = view.mode !== "slider";
  byId("flicker-tools").hidden = view.mode !== "flicker";
  byId("play").textContent = view.playing ? "Stop" : "Play";
  byId("shift").textContent = `A ${shownSlide("A")} : B ${shownSlide("B")}`;
  byId("place").textContent = placeText();
  placePictures();
  markRequirement(view.slide);
}

function placeText() {
  const each = LABELS.map((label) => {
    const number = shownSlide(label);
    return hasSlide(label, number) ? `${label} slide ${number} of ${packet.slides[label]}` : `${label} has no slide ${number}`;
  });
  return view.mode === "flicker" ? `${each.join(", ")}; ${view.front} is in front` : each.join(", ");
}

function showPicture(label) {
  const { port, picture, absent } = panes[label];
  const number = shownSlide(label);
  const there = hasSlide(label, number);
  const path = picturePath(label, number);
  port.classList.toggle("empty", !there);
  absent.textContent = there ? "" : `${label} has ${packet.slides[label]} slides and none to show here.`;
  picture.alt = there ? `Deck ${label}, slide ${number} of ${packet.slides[label]}` : "";
  if (there && picture.getAttribute("src") !== path) picture.src = path;
  port.previousElementSibling.textContent = there ? `${label} · ${number} of ${packet.slides[label]}` : label;
}

function broken(label) {
  const path = panes[label].picture.getAttribute("src");
  panes[label].port.classList.add("broken");
  panes[label].absent.textContent = `${path} cannot be shown. The packet is not whole; ask for it again.`;
}

/** Lays both pictures out so that the same place of both is in the middle of its pane. */
function placePictures() {
  const fit = fitScale();
  const scale = fit * view.zoom;
  for (const label of LABELS) {
    const { port, picture } = panes[label];
    const [width, height] = [SLIDE.width * scale, SLIDE.height * scale];
    view.x = held(view.x, port.clientWidth / width);
    view.y = held(view.y, port.clientHeight / height);
    picture.style.width = `${width}px`;
    picture.style.height = `${height}px`;
    picture.style.left = `${Math.round(port.clientWidth / 2 - view.x * width)}px`;
    picture.style.top = `${Math.round(port.clientHeight / 2 - view.y * height)}px`;
    picture.style.imageRendering = scale >= 3 ? "pixelated" : "auto";
  }
  byId("zoom").textContent = `${Math.round(scale * 100)} %`;
  const edge = panes.A.port.clientWidth * (view.split / 100);
  byId("stage").style.setProperty("--edge", `${edge}px`);
}

/** Keeps a middle such that no pane shows more beside the slide than it has to. */
function held(middle, share) {
  return share >= 1 ? 0.5 : Math.min(Math.max(middle, share / 2), 1 - share / 2);
}

function fitScale() {
  const { clientWidth, clientHeight } = panes.A.port;
  return Math.max(Math.min(clientWidth / SLIDE.width, clientHeight / SLIDE.height), 0.05);
}

function goTo(slide) {
  view.slide = Math.min(Math.max(slide, 1), positions());
  showView();
}

function setMode(mode) {
  view.mode = mode;
  if (mode !== "flicker") stopPlaying();
  byId(`mode.${mode}`).checked = true;
  showView();
}

function zoomBy(factor, x = 0.5, y = 0.5) {
  const before = view.zoom;
  view.zoom = Math.min(Math.max(before * factor, 1), MAX_ZOOM);
  // The place under the pointer stays where it is.
  const { clientWidth, clientHeight } = panes.A.port;
  const [width, height] = [SLIDE.width * fitScale(), SLIDE.height * fitScale()];
  const kept = 1 / before - 1 / view.zoom;
  view.x += ((x - 0.5) * clientWidth / width) * kept;
  view.y += ((y - 0.5) * clientHeight / height) * kept;
  placePictures();
}

function zoomFit() {
  Object.assign(view, { zoom: 1, x: 0.5, y: 0.5 });
  placePictures();
}

function zoomFull() {
  view.zoom = Math.min(Math.max(1 / (fitScale() * devicePixelRatio), 1), MAX_ZOOM);
  placePictures();
}

function panBy(x, y) {
  view.x += x / view.zoom;
  view.y += y / view.zoom;
  placePictures();
}

function setSplit(percent) {
  view.split = Math.min(Math.max(percent, 0), 100);
  byId("split").value = view.split;
  placePictures();
}

function setShift(step) {
  const shift = view.shift + step;
  if (shift <= -packet.slides.A || shift >= packet.slides.B) return;
  view.shift = shift;
  fillStrip();
  goTo(view.slide);
}

function flip() {
  view.front = view.front === "A" ? "B" : "A";
  showView();
}

/** Brings one label to the front, in the modes where one covers the other. */
function bringForward(label) {
  if (view.mode === "slider") setSplit(label === "A" ? 100 : 0);
  else if (view.front !== label) flip();
}

function togglePlay() {
  if (view.mode !== "flicker") setMode("flicker");
  if (view.playing) stopPlaying();
  else view.playing = setInterval(flip, 1000);
  showView();
}

function stopPlaying() {
  clearInterval(view.playing);
  view.playing = null;
}

/** Wheel zooms at the pointer, dragging moves the slides, or the divider when it starts there. */
function handlePointer(stage) {
  let drag = null;
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = (event.target.closest(".port") ?? panes.A.port).getBoundingClientRect();
    zoomBy(Math.exp(-event.deltaY / 400), (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, y: event.clientY, divider: event.target.id === "divider" };
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const scale = fitScale() * view.zoom;
    const box = panes.A.port.getBoundingClientRect();
    if (drag.divider) setSplit(((event.clientX - box.left) / box.width) * 100);
    else panBy(((drag.x - event.clientX) / (SLIDE.width * scale)) * view.zoom, ((drag.y - event.clientY) / (SLIDE.height * scale)) * view.zoom);
    Object.assign(drag, { x: event.clientX, y: event.clientY });
  });
  const end = () => { drag = null; };
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  stage.addEventListener("dblclick", (event) => {
    if (event.target.id !== "divider") (view.zoom === 1 ? zoomFull : zoomFit)();
  });
}
