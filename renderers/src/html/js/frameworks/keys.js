(h) => ({
  // Nothing that looks like a group of slides: keys are pressed until nothing new comes.
  detect: () => ({ why: 'no group of slides was found, so keys are pressed until nothing changes', count: null, walk: true }),
  at: () => -1,
})
