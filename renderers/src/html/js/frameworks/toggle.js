(h) => ({
  // Slides that lie on top of each other, of which one shows.
  detect: () => {
    const group = h.group();
    if (!group || group.kind !== 'toggle') return null;
    return { why: group.why, count: group.slides.length, walk: true };
  },
  element: (i) => h.group().slides[i],
  at: () => h.showing(h.group().slides),
  go: (i, step, how) => {
    const { slides } = h.group();
    if (how === 'scroll') h.instant(slides[i]);
    else if (how === 'hash') h.address(slides, i);
    else if (how === 'radio') h.radio(slides, i);
    else h.force(slides, i);
  },
  settled: (i) => h.fit(h.group().slides[i]),
})
