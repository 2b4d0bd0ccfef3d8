(h) => {
  const slides = () => h.all('svg[data-marpit-svg]');
  const active = () => slides().findIndex((e) => e.classList.contains('bespoke-marp-active'));
  return {
    detect: () => {
      if (slides().length === 0 || !document.querySelector('.bespoke-marp-parent')) return null;
      return { why: 'elements svg[data-marpit-svg] under .bespoke-marp-parent', count: slides().length, walk: true };
    },
    prepare: () => {
      h.hide(h.all('.bespoke-marp-osc, .bespoke-progress-parent'));
      return {};
    },
    go: (i) => h.hash(`#${i + 1}`),
    element: (i) => slides()[i].querySelector('section'),
    at: active,
  };
}
