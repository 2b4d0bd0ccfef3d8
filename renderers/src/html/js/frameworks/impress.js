(h) => {
  const steps = () => h.all('#impress .step').filter((e) => !e.classList.contains('skip'));
  return {
    detect: () => {
      const count = typeof window.impress === 'function' && document.getElementById('impress') ? steps().length : 0;
      return count > 0 ? { why: 'window.impress and an element #impress', count, walk: true } : null;
    },
    prepare: () => {
      h.hide(h.all('.impress-progressbar, .impress-progress, #impress-toolbar, #impress-help, #impress-console, .hint, .fallback-message'));
      return {};
    },
    next: () => window.impress().next(),
    go: (i) => window.impress().goto(steps()[i], 0),
    element: (i) => steps()[i],
    at: () => steps().findIndex((e) => e.classList.contains('active')),
  };
}
