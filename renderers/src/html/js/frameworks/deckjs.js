(h) => {
  const elements = () => window.$.deck('getSlides').map((slide) => slide[0]);
  const top = () => {
    const set = new Set(elements());
    return elements().filter((e) => {
      for (let up = e.parentElement; up; up = up.parentElement) if (set.has(up)) return false;
      return true;
    });
  };
  return {
    detect: () => {
      const api = window.$ && typeof window.$.deck === 'function' && typeof window.$.deck('getSlides') === 'object';
      return api && top().length > 0 ? { why: 'jQuery has a plugin deck', count: top().length, walk: true } : null;
    },
    prepare: () => {
      h.hide(h.all('.deck-prev-link, .deck-next-link, .deck-status, .goto-form, .deck-permalink, .theme-menu'));
      return {};
    },
    next: () => window.$.deck('next'),
    go: (i) => window.$.deck('go', elements().indexOf(top()[i])),
    element: (i) => top()[i],
    at: () => {
      const now = window.$.deck('getSlide')[0];
      return top().findIndex((e) => e === now || e.contains(now));
    },
  };
}
