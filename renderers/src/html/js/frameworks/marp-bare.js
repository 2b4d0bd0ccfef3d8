(h) => {
  const slides = () => h.all('svg[data-marpit-svg]');
  return {
    detect: () => (slides().length > 0 ? { why: 'elements svg[data-marpit-svg] one below the other', count: slides().length } : null),
    go: (i) => slides().forEach((slide, k) => slide.style.setProperty('display', k === i ? 'block' : 'none', 'important')),
    settled: (i) => {
      h.fit(slides()[i]);
      h.instant(slides()[i]);
    },
    element: (i) => slides()[i].querySelector('section'),
    at: () => h.showing(slides()),
  };
}
