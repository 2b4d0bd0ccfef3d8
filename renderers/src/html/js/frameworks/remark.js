(h) => {
  // A slide after the separator `--` continues the one before it: together they are one.
  const api = () => (window.slideshow && typeof window.slideshow.getSlides === 'function' ? window.slideshow : null);
  const containers = () => h.all('.remark-slides-area > .remark-slide-container');
  const firsts = () => {
    const shows = api() ? Array.from(api().getSlides()) : containers();
    const goesOn = (slide) => (api() ? slide.properties && slide.properties.continued === 'true' : slide.classList.contains('has-continued'));
    return shows.map((slide, i) => (i > 0 && goesOn(slide) ? -1 : i)).filter((i) => i >= 0);
  };
  const shown = () => (api() ? api().getCurrentSlideIndex() : containers().findIndex((e) => e.classList.contains('remark-visible')));
  return {
    detect: () => {
      if (!document.querySelector('.remark-slides-area')) return null;
      return { why: 'an element .remark-slides-area', count: firsts().length, walk: true };
    },
    next: () => (api() ? api().gotoNextSlide() : h.press('ArrowRight')),
    go: (i) => (api() ? api().gotoSlide(firsts()[i] + 1) : h.hash(`#${firsts()[i] + 1}`)),
    element: () => document.querySelector('.remark-slide-container.remark-visible .remark-slide-content'),
    at: () => {
      const now = shown();
      return now < 0 ? -1 : firsts().filter((first) => first <= now).length - 1;
    },
  };
}
