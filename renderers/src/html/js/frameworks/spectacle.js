(h) => {
  const slides = () => h.all('.spectacle-v7-slide');
  return {
    detect: () => (slides().length > 0 ? { why: 'elements .spectacle-v7-slide', count: slides().length, walk: true } : null),
    go: (i) => {
      history.pushState(null, '', `?slideIndex=${i}&stepIndex=0`);
      dispatchEvent(new PopStateEvent('popstate'));
    },
    element: (i) => slides()[i],
    at: () => {
      const asked = new URLSearchParams(location.search).get('slideIndex');
      return asked === null ? h.showing(slides()) : Number(asked);
    },
  };
}
