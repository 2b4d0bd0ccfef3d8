(h) => {
  // The address tells the slide; how many there are shows when the next key leads nowhere new.
  const shown = () => document.querySelector('#slide-content, #slideshow, #slide-container');
  const number = () => Number((/^#?\/?(\d+)/.exec(location.hash) || /\/(\d+)\/?$/.exec(location.pathname) || [])[1] || 0);
  return {
    detect: () => (shown() && document.querySelector('[data-slidev-no]') ? { why: 'elements [data-slidev-no]', count: null, walk: true } : null),
    prepare: () => {
      h.hide(h.all('#slidev-goto-dialog, nav, .slidev-nav, .slidev-icon-btn'));
      return {};
    },
    element: () => document.querySelector(`[data-slidev-no="${number()}"]`),
    at: () => number() - 1,
  };
}
