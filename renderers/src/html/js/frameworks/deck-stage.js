(h) => {
  const stage = () => document.querySelector('deck-stage');
  const slides = () => Array.from(stage().children).filter((e) => !['SCRIPT', 'STYLE', 'TEMPLATE'].includes(e.tagName));
  return {
    detect: () => (stage() && typeof stage().goTo === 'function' && slides().length > 0 ? { why: 'an element deck-stage that answers goTo()', count: slides().length } : null),
    go: (i) => stage().goTo(i),
    settled: (i) => h.fit(slides()[i]),
    element: (i) => slides()[i],
    at: () => h.showing(slides()),
  };
}
