// Arrow keys, Home and End move from slide to slide; without this file the deck scrolls.
"use strict";

const slides = Array.from(document.querySelectorAll("main > .slide"));
let place = 0;

function go(to) {
  place = Math.min(Math.max(to, 0), slides.length - 1);
  slides[place].scrollIntoView({ block: "start", behavior: "instant" });
}

document.addEventListener("keydown", (event) => {
  const targets = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: slides.length - 1 };
  if (!(event.key in targets)) return;
  event.preventDefault();
  go(targets[event.key]);
});
