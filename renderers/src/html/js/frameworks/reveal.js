(h) => {
  let slides = [];
  const fragments = (slide) => {
    const found = h.all('.fragment', slide).map((e) => Number(e.getAttribute('data-fragment-index') || 0));
    return new Set(found).size;
  };
  const last = (slide) => Math.max(-1, ...h.all('.fragment', slide).map((e) => Number(e.getAttribute('data-fragment-index') || 0)));
  return {
    detect: () => {
      const api = window.Reveal;
      if (!api || typeof api.getSlides !== 'function' || typeof api.slide !== 'function') return null;
      slides = Array.from(api.getSlides());
      if (slides.length === 0) return null;
      return { why: 'window.Reveal answers getSlides()', count: slides.length };
    },
    prepare: () => {
      window.Reveal.configure({
        controls: false, progress: false, transition: 'none', backgroundTransition: 'none',
        autoAnimate: false, autoSlide: 0, autoPlayMedia: false, keyboard: h.keys, hash: false, history: false,
      });
      slides = Array.from(window.Reveal.getSlides());
      return { steps: slides.map((slide) => fragments(slide) + 1) };
    },
    go: (i, step) => {
      const at = window.Reveal.getIndices(slides[i]);
      const order = Array.from(new Set(h.all('.fragment', slides[i]).map((e) => Number(e.getAttribute('data-fragment-index') || 0)))).sort((a, b) => a - b);
      const fragment = step === null ? last(slides[i]) : step === 0 ? -1 : order[step - 1];
      window.Reveal.slide(at.h, at.v || 0, fragment);
    },
    element: (i) => slides[i],
    at: () => slides.indexOf(window.Reveal.getCurrentSlide()),
  };
}
