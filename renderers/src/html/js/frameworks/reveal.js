(h) => {
  let slides = [];
  // What its numbering leaves out is shown all the same.
  const every = () => {
    const counted = new Set(window.Reveal.getSlides());
    return h.all('.slides section:not(.stack)').filter((e) => counted.has(e) || e.dataset.visibility === 'uncounted');
  };
  const fragments = (slide) => {
    const found = h.all('.fragment', slide).map((e) => Number(e.getAttribute('data-fragment-index') || 0));
    return new Set(found).size;
  };
  const last = (slide) => Math.max(-1, ...h.all('.fragment', slide).map((e) => Number(e.getAttribute('data-fragment-index') || 0)));
  return {
    detect: () => {
      const api = window.Reveal;
      if (!api || typeof api.getSlides !== 'function' || typeof api.slide !== 'function') return null;
      // One long page instead of slides: what it makes of them is not what they are.
      if (typeof api.isScrollView === 'function' && api.isScrollView()) {
        api.configure({ view: null });
        api.toggleScrollView(false);
      }
      slides = every();
      if (slides.length === 0) return null;
      return { why: 'window.Reveal answers getSlides()', count: slides.length };
    },
    prepare: () => {
      window.Reveal.configure({
        controls: false, progress: false, transition: 'none', backgroundTransition: 'none',
        autoAnimate: false, autoSlide: 0, autoPlayMedia: false, keyboard: h.keys, hash: false, history: false,
      });
      slides = every();
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
