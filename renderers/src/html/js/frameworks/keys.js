(h) => ({
  // Nothing that looks like a group of slides: keys are pressed until nothing new comes.
  detect: () => {
    h.dormant();
    return { why: 'no group of slides was found, so keys are pressed until nothing changes', count: null, walk: true };
  },
  at: () => (h.dormant().some(h.displayed) ? h.showing(h.dormant()) : -1),
})
