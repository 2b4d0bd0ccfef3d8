(h) => {
  const slides = () => h.all('.shower .slide, .shower.slide');
  return {
    detect: () => {
      const api = window.shower;
      if (!api || !document.querySelector('.shower') || slides().length === 0) return null;
      return { why: 'window.shower and an element .shower', count: slides().length, walk: true };
    },
    prepare: () => {
      const api = window.shower;
      h.hide(h.all('.progress, .badge'));
      if (typeof api.goTo === 'function') api.goTo(0);
      else if (typeof api.go === 'function') api.go(0);
      if (typeof api.enterFullMode === 'function') api.enterFullMode();
      return {};
    },
    next: () => window.shower.next(),
    go: (i) => (typeof window.shower.goTo === 'function' ? window.shower.goTo(i) : window.shower.go(i)),
    element: (i) => slides()[i],
    at: () => slides().findIndex((e) => e.classList.contains('active')),
  };
}
