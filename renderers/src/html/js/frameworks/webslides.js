(h) => {
  const api = () => window.ws || window.webslides;
  const slides = () => h.all('#webslides > section, #webslides > .slide');
  return {
    detect: () => (api() && typeof api().goToSlide === 'function' && slides().length > 0 ? { why: 'window.ws and an element #webslides', count: slides().length } : null),
    prepare: () => {
      h.hide(h.all('#navigation, #counter'));
      return {};
    },
    go: (i) => {
      const wanted = api().slides.findIndex((slide) => slide.el === slides()[i]);
      api().goToSlide(wanted >= 0 ? wanted : i);
    },
    settled: (i) => slides()[i].scrollIntoView({ behavior: 'instant', block: 'start' }),
    element: (i) => slides()[i],
    at: () => h.showing(slides()),
  };
}
