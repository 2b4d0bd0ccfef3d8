(h) => {
  // A section is a slide, or as many as it has beside each other.
  const pages = () => h.all('.fp-section').flatMap((section) => {
    const beside = h.all('.fp-slide', section);
    return beside.length > 0 ? beside : [section];
  });
  const api = () => window.fullpage_api;
  return {
    detect: () => {
      const known = api() && typeof api().moveTo === 'function' && pages().length > 0;
      return known ? { why: 'window.fullpage_api', count: pages().length } : null;
    },
    prepare: () => {
      api().setScrollingSpeed?.(0);
      h.hide(h.all('#fp-nav, .fp-slidesNav, .fp-controlArrow, .fp-watermark'));
      return {};
    },
    go: (i) => {
      const page = pages()[i];
      const section = page.closest('.fp-section');
      const beside = h.all('.fp-slide', section);
      const move = api().silentMoveTo || api().moveTo;
      move.call(api(), h.all('.fp-section').indexOf(section) + 1, Math.max(0, beside.indexOf(page)));
    },
    element: (i) => pages()[i],
    at: () => {
      const section = h.all('.fp-section').find((e) => e.classList.contains('active'));
      const page = section && h.all('.fp-slide', section).find((e) => e.classList.contains('active'));
      return pages().indexOf(page || section);
    },
  };
}
