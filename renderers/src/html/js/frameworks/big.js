(h) => ({
  detect: () => (window.big && typeof window.big.go === 'function' && window.big.length > 0 ? { why: 'window.big', count: window.big.length } : null),
  go: (i) => window.big.go(i),
  element: (i) => h.all('.slide-container > .slide')[i],
  at: () => window.big.current,
})
