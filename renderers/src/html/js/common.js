// Helpers for the framework modules. Runs in the page's own world, where frameworks live.
(() => {
  'use strict';
  const W = window.innerWidth;
  const H = window.innerHeight;
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const displayed = (element) => element.getClientRects().length > 0;
  const rect = (element) => element.getBoundingClientRect();

  // The document and the open trees of its elements, in which slides may live as well.
  const trees = () => {
    const found = [document];
    for (let i = 0; i < found.length && found.length < 100; i += 1) {
      for (const element of found[i].querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot);
    }
    return found;
  };
  // What an element is drawn inside of.
  const outer = (element) => {
    const root = element.parentElement ? null : element.getRootNode();
    return element.assignedSlot || element.parentElement || (root instanceof ShadowRoot ? root.host : null);
  };
  // Opacity and visibility as they multiply up the tree.
  const opacity = (element) => {
    if (getComputedStyle(element).visibility !== 'visible') return 0;
    let product = 1;
    for (let e = element; e instanceof Element; e = outer(e)) {
      product *= Number(getComputedStyle(e).opacity);
    }
    return product;
  };
  const big = (box) => box.width >= 0.55 * W && box.height >= 0.4 * H;

  // For each element of a list how many points of a grid over the viewport it is on top at.
  const shares = (elements) => {
    const index = new Map(elements.map((element, i) => [element, i]));
    const counts = elements.map(() => 0);
    const seen = new Map();
    const clear = (i) => {
      if (!seen.has(i)) seen.set(i, opacity(elements[i]) > 0.4);
      return seen.get(i);
    };
    const owner = (element) => {
      for (let e = element; e; e = e.parentElement) if (index.has(e)) return index.get(e);
      return -1;
    };
    const scope = elements.length > 0 ? elements[0].getRootNode() : document;
    for (let row = 0; row < 7; row += 1) {
      for (let column = 0; column < 7; column += 1) {
        const stack = scope.elementsFromPoint((column + 0.5) * W / 7, (row + 0.5) * H / 7);
        const hit = stack.map(owner).find((i) => i >= 0 && clear(i));
        if (hit !== undefined) counts[hit] += 1;
      }
    }
    return counts;
  };
  // The element of a list that a viewer sees; -1 for none.
  const showing = (elements) => {
    const counts = shares(elements);
    const most = Math.max(...counts);
    if (most > 0) return counts.indexOf(most);
    // Slides that let the pointer through are on top at no point.
    const inside = elements.map((element) => {
      if (!displayed(element) || opacity(element) <= 0.4) return 0;
      const box = rect(element);
      const width = Math.min(box.right, W) - Math.max(box.left, 0);
      const height = Math.min(box.bottom, H) - Math.max(box.top, 0);
      return width > 0 && height > 0 ? width * height : 0;
    });
    const largest = Math.max(...inside);
    return largest > 0 ? inside.indexOf(largest) : -1;
  };

  const KEYS = {
    ArrowRight: 39, ArrowLeft: 37, ArrowDown: 40, ArrowUp: 38, PageDown: 34, PageUp: 33,
    Home: 36, End: 35, ' ': 32, Enter: 13, Escape: 27,
  };
  const press = (key) => {
    const code = key === ' ' ? 'Space' : key;
    const focused = document.activeElement;
    const target = focused && focused !== document.documentElement ? focused : document.body;
    for (const type of ['keydown', 'keyup']) {
      const event = new KeyboardEvent(type, {
        key, code, keyCode: KEYS[key], which: KEYS[key], bubbles: true, cancelable: true, composed: true,
      });
      (target || document).dispatchEvent(event);
    }
  };
  const click = (element, x = W / 2, y = H / 2) => {
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      const Kind = type.startsWith('pointer') ? PointerEvent : MouseEvent;
      element.dispatchEvent(new Kind(type, {
        bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y, button: 0,
      }));
    }
  };
  const hide = (elements) => {
    for (const element of elements) element.style.setProperty('visibility', 'hidden', 'important');
  };
  const hash = (value) => { location.hash = value; };
  const instant = (element) => element.scrollIntoView({ behavior: 'instant', block: 'start', inline: 'start' });
  return { W, H, all, trees, displayed, rect, opacity, big, shares, showing, press, click, hide, hash, instant };
})()
