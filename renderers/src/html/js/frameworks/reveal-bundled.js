(h) => {
  // reveal.js inside a bundle: it has no global name, and still listens to messages.
  const order = (slide) => Array.from(new Set(h.all('.fragment', slide).map((e) => Number(e.getAttribute('data-fragment-index') || 0)))).sort((a, b) => a - b);
  const children = (parent) => Array.from(parent.children).filter((e) => e.tagName === 'SECTION');
  const places = () => children(document.querySelector('.reveal > .slides')).flatMap((section, x) => {
    const nested = children(section);
    return nested.length === 0 ? [{ slide: section, x, y: 0 }] : nested.map((slide, y) => ({ slide, x, y }));
  });
  const send = (method, ...args) => window.postMessage(JSON.stringify({ method, args }), '*');
  return {
    detect: () => {
      if (!document.querySelector('.reveal.ready > .slides > section')) return null;
      return { why: 'elements .reveal.ready > .slides > section', count: places().length };
    },
    prepare: () => {
      send('configure', { controls: false, progress: false, transition: 'none', backgroundTransition: 'none', autoAnimate: false, autoSlide: 0, keyboard: h.keys });
      return { steps: places().map(({ slide }) => order(slide).length + 1) };
    },
    go: (i, step) => {
      const { slide, x, y } = places()[i];
      const fragments = order(slide);
      const last = fragments.length === 0 ? -1 : fragments[fragments.length - 1];
      send('slide', x, y, step === null ? last : step === 0 ? -1 : fragments[step - 1]);
    },
    element: (i) => places()[i].slide,
    at: () => places().findIndex(({ slide }) => slide.classList.contains('present') && (!slide.parentElement.matches('section') || slide.parentElement.classList.contains('present'))),
  };
}
