// Runs in every frame before anything of the page. Randomness comes from a fixed seed, and what is
// still to come (frame callbacks, short timers, finite animations, loading) can be asked for, so
// that a picture waits for movement to end without guessing by the clock.
const deckproofClock = (() => {
  'use strict';
  let state = 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = function random() { return next() / 4294967296; };
  const bytes = (view) => {
    const array = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < array.length; i += 1) array[i] = next() & 255;
    return view;
  };
  try {
    Crypto.prototype.getRandomValues = function getRandomValues(view) { return bytes(view); };
    Crypto.prototype.randomUUID = function randomUUID() {
      const b = bytes(new Uint8Array(16));
      b[6] = (b[6] & 15) | 64;
      b[8] = (b[8] & 63) | 128;
      const h = Array.from(b, (x) => x.toString(16).padStart(2, '0')).join('');
      return [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join('-');
    };
  } catch { /* Not a secure context: there is nothing to seed. */ }

  // Whole milliseconds: what is finer differs with the moment at which the browser was started.
  const now = Performance.prototype.now;
  Performance.prototype.now = function performanceNow() { return Math.round(now.call(this)); };

  const later = window.setTimeout;
  const cancel = window.clearTimeout;
  const frame = window.requestAnimationFrame;
  const animations = Document.prototype.getAnimations;
  const LONGEST = 2000;
  const waiting = new Set();
  let frames = 0;
  window.setTimeout = function setTimeout(callback, delay, ...rest) {
    const short = !(Number(delay) > LONGEST);
    if (!short || typeof callback !== 'function') return later.call(window, callback, delay, ...rest);
    const id = later.call(window, function () {
      waiting.delete(id);
      return callback.apply(this, rest);
    }, delay);
    waiting.add(id);
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    waiting.delete(id);
    return cancel.call(window, id);
  };
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    frames += 1;
    return frame.call(window, (moment) => callback(Math.round(moment)));
  };
  const finite = (animation) => {
    if (animation.playState !== 'running' || !animation.effect) return false;
    return Number.isFinite(animation.effect.getComputedTiming().endTime);
  };
  const json = JSON.stringify;
  return Object.freeze({
    json: (value) => json(value),
    later: (callback) => later.call(window, callback, 1),
    busy: () => {
      const drawn = frames;
      frames = 0;
      if (drawn > 0 || waiting.size > 0) return true;
      if (animations.call(document).some(finite)) return true;
      return document.fonts.status === 'loading' || document.readyState !== 'complete';
    },
  });
})();
