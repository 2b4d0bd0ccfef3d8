// Keys: right and left, space, page down and up, home and end; N shows the speaker notes.
// Without this file the slides stand below each other and can be scrolled.
"use strict";

const slides = [...document.querySelectorAll("main > .slide")];

function current() {
  const middle = window.innerHeight / 2;
  const found = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > middle);
  return found < 0 ? slides.length - 1 : found;
}

function show(index) {
  const place = Math.min(Math.max(index, 0), slides.length - 1);
  slides[place].scrollIntoView({ block: "center", behavior: "instant" });
}

const moves = {
  ArrowRight: () => show(current() + 1),
  ArrowLeft: () => show(current() - 1),
  PageDown: () => show(current() + 1),
  PageUp: () => show(current() - 1),
  " ": () => show(current() + 1),
  Home: () => show(0),
  End: () => show(slides.length - 1),
  n: () => document.body.classList.toggle("with-notes"),
};

document.addEventListener("keydown", (event) => {
  const move = moves[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
});
