(h) => {
  const pages = () => h.all('.ft-section .ft-page');
  return {
    detect: () => {
      const api = window.Flowtime;
      return api && typeof api.next === 'function' && pages().length > 0 ? { why: 'window.Flowtime', count: pages().length, walk: true } : null;
    },
    prepare: () => {
      const api = window.Flowtime;
      api.showProgress(false);
      api.setTransitionTime?.(0);
      h.hide(h.all('.ft-default-progress, .ft-cmd'));
      return {};
    },
    next: () => window.Flowtime.next(),
    go: (i) => {
      const page = pages()[i];
      const section = page.closest('.ft-section');
      window.Flowtime.gotoPage(h.all('.ft-section').indexOf(section), h.all('.ft-page', section).indexOf(page));
    },
    element: (i) => pages()[i],
    at: () => pages().findIndex((e) => e.classList.contains('actual')),
  };
}
