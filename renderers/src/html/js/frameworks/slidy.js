(h) => ({
  detect: () => {
    const api = window.w3c_slidy;
    return api && api.slides && api.slides.length > 0 ? { why: 'window.w3c_slidy with slides', count: api.slides.length, walk: true } : null;
  },
  prepare: () => {
    h.hide(h.all('.toolbar, .initial_prompt'));
    return {};
  },
  next: () => window.w3c_slidy.next_slide(true),
  go: (i) => window.w3c_slidy.goto_slide(i),
  element: (i) => window.w3c_slidy.slides[i],
  at: () => window.w3c_slidy.slide_number,
})
