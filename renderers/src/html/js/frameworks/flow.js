(h) => ({
  // Slides that lie beside or below each other: each is brought into view.
  detect: () => {
    const group = h.group();
    if (!group || group.kind !== 'flow') return null;
    return { why: group.why, count: group.slides.length };
  },
  go: (i) => {
    const { slides } = h.group();
    h.instant(slides[i]);
  },
  settled: (i) => {
    // Scrolling listeners may have moved the page; and a slide of another size fills the canvas.
    const { slides } = h.group();
    h.fit(slides[i]);
    h.instant(slides[i]);
  },
  element: (i) => h.group().slides[i],
  at: () => h.showing(h.group().slides),
})
