(h) => {
  const slides = () => h.all('.deck-stage[data-clara-deck-mode] > .slide');
  return {
    detect: () => (slides().length > 0 ? { why: 'an element .deck-stage[data-clara-deck-mode] with slides', count: slides().length, walk: true } : null),
    prepare: () => {
      h.hide(h.all('.progress-track, .deck-rail, .deck-dots, .deck-controls, .notes-panel, .orientation-hint'));
      return {};
    },
    go: (i) => h.address(slides(), i),
    settled: (i) => h.fit(slides()[i]),
    element: (i) => slides()[i],
    at: () => {
      const marked = slides().findIndex((e) => e.classList.contains('is-active'));
      return marked >= 0 ? marked : h.showing(slides());
    },
  };
}
