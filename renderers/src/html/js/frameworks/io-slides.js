(h) => {
  const slides = () => h.all('slides > slide:not([hidden])').filter((e) => !e.classList.contains('backdrop'));
  return {
    detect: () => {
      const api = window.slidedeck;
      return api && typeof api.nextSlide === 'function' && slides().length > 0 ? { why: 'window.slidedeck and elements slides > slide', count: slides().length, walk: true } : null;
    },
    next: () => window.slidedeck.nextSlide(),
    go: (i) => window.slidedeck.loadSlide(i + 1),
    element: (i) => slides()[i],
    at: () => slides().findIndex((e) => e.classList.contains('current')),
  };
}
