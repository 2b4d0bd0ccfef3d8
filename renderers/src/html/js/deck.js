// Puts the helpers and the framework modules together. The first module that recognises the page
// drives it. FRAMEWORKS stands for an object of modules by name, in the order of the table.
const deckproofDeck = (() => {
  'use strict';
  const h = COMMON;
  Object.assign(h, (GENERIC)(h));
  const modules = FRAMEWORKS;
  let chosen = null;
  let failure = null;
  let current = 0;
  const guarded = (what) => {
    try {
      return what();
    } catch (error) {
      failure = String((error && error.stack) || error);
      return undefined;
    }
  };
  return Object.freeze({
    detect: () => {
      for (const [name, module] of Object.entries(modules)) {
        const found = guarded(() => module.detect());
        if (found) {
          chosen = module;
          return { framework: name, walk: false, steps: null, corrects: Boolean(module.settled), ...found };
        }
      }
      return null;
    },
    // With `keys` the framework's own keys stay on, for a person is to press them.
    prepare: (keys) => {
      h.keys = keys;
      return guarded(() => (chosen.prepare ? chosen.prepare() : {})) || {};
    },
    go: (i, step, how) => { current = i; guarded(() => chosen.go(i, step, how)); },
    settled: (i) => { current = i; guarded(() => chosen.settled && chosen.settled(i)); },
    advance: (how) => {
      guarded(() => {
        if (how !== 'next') h.advance(how);
        else if (chosen.next) chosen.next();
        else h.press('ArrowRight');
      });
    },
    element: () => guarded(() => (chosen.element ? chosen.element(current) : null)) || null,
    state: (mask) => {
      const at = guarded(() => (chosen.at ? chosen.at() : -1)) ?? -1;
      if (at >= 0) current = at;
      return { at, signature: guarded(() => h.signature(mask)) || '', failure };
    },
  });
})();
