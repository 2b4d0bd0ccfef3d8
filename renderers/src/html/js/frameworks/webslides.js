(h) => {
  const api = () => window.ws || window.webslides;
  // Remembered, for WebSlides moves the elements about while it goes from one to the next.
  let slides = [];
  return {
    detect: () => {
      slides = h.all('#webslides > section, #webslides > .slide');
      return api() && typeof api().goToSlide === 'function' && slides.length > 0 ? { why: 'window.ws and an element #webslides', count: slides.length } : null;
    },
    prepare: () => {
      h.hide(h.all('#navigation, #counter'));
      return {};
    },
    go: (i) => {
      const wanted = Array.from(api().slides).findIndex((slide) => slide.el === slides[i]);
      api().goToSlide(wanted >= 0 ? wanted : i);
    },
    settled: (i) => h.instant(slides[i]),
    element: (i) => slides[i],
    at: () => h.showing(slides),
  };
}
