(h) => ({
  detect: () => {
    const api = window.Dz;
    return api && api.slides && typeof api.forward === 'function' && api.slides.length > 0 ? { why: 'window.Dz with slides', count: api.slides.length, walk: true } : null;
  },
  prepare: () => {
    h.hide(h.all('#progress-bar'));
    return {};
  },
  next: () => window.Dz.forward(),
  go: (i) => window.Dz.setCursor(i + 1),
  element: (i) => window.Dz.slides[i],
  at: () => h.all('body > section').findIndex((e) => e.hasAttribute('aria-selected')),
})
