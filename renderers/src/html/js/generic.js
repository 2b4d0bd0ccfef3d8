// Finding slides without knowing the framework. Extends the helpers.
(h) => {
  'use strict';
  const NAMES = ['slide', 'deck-slide', 'presentation-slide'];
  // Names that other parts of a page have as well: only what nearly fills the canvas counts.
  const COMMON_NAMES = ['page', 'frame', 'step', 'screen', 'panel', 'card', 'scene'];
  let cached = null;

  const outermost = (elements) => {
    const set = new Set(elements);
    return elements.filter((element) => {
      for (let e = element.parentElement; e; e = e.parentElement) if (set.has(e)) return false;
      return true;
    });
  };
  // A candidate that shows must be about as large as the canvas; a hidden one cannot be measured.
  const plausible = (elements, height = 0.4) => {
    const shown = elements.filter(h.displayed);
    const large = shown.filter((element) => h.big(h.rect(element)) && h.rect(element).height >= height * h.H);
    return elements.length >= 2 && shown.length > 0 && large.length >= 0.8 * shown.length;
  };
  const byClass = (tree) => {
    for (const name of [...NAMES, ...COMMON_NAMES]) {
      const found = outermost(h.all(`.${name}, [data-${name}]`, tree).filter((e) => e !== document.body && e !== document.documentElement));
      if (plausible(found, NAMES.includes(name) ? 0.4 : 0.75)) return { slides: found, why: `${found.length} elements of class ${name}` };
    }
    return null;
  };
  const siblings = (tree) => {
    let best = null;
    const parents = tree === document ? [document.body, ...h.all('body *')] : [tree, ...h.all('*', tree)];
    for (const parent of parents) {
      if (!parent || parent.children.length < 2) continue;
      const kinds = new Map();
      for (const child of parent.children) {
        if (['SCRIPT', 'STYLE', 'TEMPLATE', 'LINK', 'BR', 'INPUT', 'LABEL', 'BUTTON'].includes(child.tagName)) continue;
        if (child instanceof SVGElement) continue;
        const kind = child.tagName;
        if (!kinds.has(kind)) kinds.set(kind, []);
        kinds.get(kind).push(child);
      }
      for (const [kind, found] of kinds) {
        if (!plausible(found, 0.75)) continue;
        const score = found.length + (['SECTION', 'ARTICLE'].includes(kind) ? 1000 : 0);
        if (!best || score > best.score) best = { slides: found, score, why: `${found.length} ${kind.toLowerCase()} elements beside each other, as large as the canvas` };
      }
    }
    return best;
  };
  const overlap = (a, b) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 0 && height > 0 ? (width * height) / Math.max(1, Math.min(a.width * a.height, b.width * b.height)) : 0;
  };
  // Class names that only the slide that shows has.
  const marks = (slides) => {
    const counts = new Map();
    for (const slide of slides) for (const name of slide.classList) counts.set(name, (counts.get(name) || 0) + 1);
    return Array.from(counts).filter(([name, count]) => count === 1 && /^(is-|slide-)?(active|current|present|selected|visible|shown?|in|on)(-slide)?$/i.test(name)).map(([name]) => name);
  };
  // Flow: all are laid out, none over another. Everything else is a toggle.
  const kind = (slides) => {
    if (!slides.every(h.displayed)) return 'toggle';
    const boxes = slides.map(h.rect);
    const apart = boxes.every((box, i) => i === 0 || overlap(box, boxes[i - 1]) < 0.3);
    const clear = slides.every((slide) => getComputedStyle(slide).visibility === 'visible');
    // Where one slide is marked, more than its place may depend on being shown.
    return apart && clear && marks(slides).length === 0 ? 'flow' : 'toggle';
  };
  const search = (tree) => {
    const found = byClass(tree) || siblings(tree);
    return found && { ...found, tree };
  };
  // Elements of a class for slides, none of which shows yet: a start page may lie before them.
  let asleep = null;
  const dormant = () => {
    if (!asleep) {
      const lists = NAMES.map((name) => outermost(h.all(`.${name}`)));
      asleep = lists.find((found) => found.length >= 2 && !found.some(h.displayed)) || [];
    }
    return asleep;
  };
  const group = () => {
    if (cached && cached.slides.every((slide) => slide.isConnected)) return cached;
    const found = cached && cached.tree.isConnected ? search(cached.tree) : h.trees().reduce((best, tree) => best || search(tree), null);
    if (cached) {
      // The page has put new elements in place of the old ones; how slides are shown stays.
      if (found && found.slides.length === cached.slides.length) cached.slides = found.slides;
      return cached;
    }
    if (!found) return null;
    const how = kind(found.slides);
    const place = how === 'flow' ? 'laid out beside or below each other' : 'laid on top of each other or hidden';
    cached = { slides: found.slides, tree: found.tree, kind: how, why: `${found.why}, ${place}` };
    return cached;
  };

  // Slides that are narrower or wider than the canvas, higher, and all of one size: a stage of
  // another shape, which a screen would show whole. One that only its text makes high is no stage.
  const stage = (box) => {
    const slides = cached ? cached.slides : [];
    const alike = slides.filter(h.displayed).map(h.rect).every((size) => Math.abs(size.width - box.width) <= 1 && Math.abs(size.height - box.height) <= 1);
    // What is hidden has no box, but its height is known when the style gives one.
    const heights = new Set(slides.filter((e) => !h.displayed(e)).map((e) => getComputedStyle(e).height));
    const given = heights.size === 0 || (heights.size === 1 && /px$/.test(Array.from(heights)[0]));
    const aspect = box.width / box.height;
    return alike && given && box.height > h.H + 2 && Math.abs(box.width - h.W) > 2 && aspect > 1.2 && aspect < 2.5;
  };
  // Scales the document so that a slide of fixed size fills the canvas as it would fill a screen.
  const fit = (slide) => {
    if (!slide || !h.displayed(slide)) return;
    const root = document.documentElement;
    root.style.removeProperty('zoom');
    const box = h.rect(slide);
    const aspect = box.width / box.height;
    const same = Math.abs(box.width - h.W) <= 2 && Math.abs(box.height - h.H) <= 2;
    if (same || box.width < 1) return;
    if (Math.abs(aspect - h.W / h.H) <= 0.03) root.style.setProperty('zoom', String(h.W / box.width));
    else if (stage(box)) root.style.setProperty('zoom', String(h.H / box.height));
  };

  const address = (slides, i) => {
    const { id } = slides[i];
    h.hash(id ? `#${id}` : `#${i + 1}`);
  };
  const radio = (slides, i) => {
    const inputs = h.all('input[type=radio]');
    if (inputs[i]) inputs[i].click();
  };
  // The last resort: gives a slide what only the slide that shows has, and hides the others.
  const force = (slides, i) => {
    const names = marks(slides);
    slides.forEach((slide, k) => {
      for (const name of names) slide.classList.toggle(name, k === i);
      if (k !== i) {
        slide.style.setProperty('display', 'none', 'important');
        return;
      }
      slide.hidden = false;
      slide.removeAttribute('aria-hidden');
      slide.style.removeProperty('display');
      if (getComputedStyle(slide).display === 'none') slide.style.setProperty('display', 'block', 'important');
      slide.style.setProperty('visibility', 'visible', 'important');
      slide.style.setProperty('opacity', '1', 'important');
      if (h.rect(slide).left >= h.W || h.rect(slide).right <= 0) slide.style.setProperty('transform', 'none', 'important');
    });
  };

  const NEXT = '[class*="next" i],[id*="next" i],[aria-label*="next" i],[title*="next" i],[data-action*="next" i],[onclick*="next" i]';
  const advance = (how) => {
    if (how === 'button') {
      const named = h.all(NEXT).filter((e) => h.displayed(e) && h.rect(e).width < h.W / 2);
      const worded = h.all('button,a,[role=button]').filter((e) => h.displayed(e) && /^\s*(next|weiter|siguiente|suivant|[›»→▶❯>]+)\s*$/i.test(e.textContent || ''));
      const button = named[0] || worded[0];
      if (button) button.click();
    } else if (how === 'click') {
      const target = document.elementFromPoint(h.W * 0.75, h.H / 2) || document.body;
      h.click(target, h.W * 0.75, h.H / 2);
    } else {
      h.press(how);
    }
  };

  function* texts() {
    for (const tree of h.trees()) {
      const walker = document.createTreeWalker(tree === document ? document.body || document.documentElement : tree, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node;
    }
  }
  // What a viewer reads, with places: it changes when the slide does, and not while one moves on.
  const signature = (mask) => {
    const parts = [location.hash, String(Math.round(window.scrollX)), String(Math.round(window.scrollY))];
    const range = document.createRange();
    let left = 3000;
    for (const node of texts()) {
      if (left <= 0) break;
      const text = node.nodeValue.trim();
      const parent = node.parentElement;
      if (!text || !parent || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(parent.tagName)) continue;
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const inside = box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < h.W && box.top < h.H;
      if (!inside || h.opacity(parent) < 0.4) continue;
      left -= 1;
      parts.push(mask ? text.replace(/\d+/g, '0') : `${text}@${Math.round(box.left)},${Math.round(box.top)}`);
    }
    for (const image of h.all('img,canvas,video,svg').slice(0, 300)) {
      const box = h.rect(image);
      const inside = box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < h.W && box.top < h.H;
      if (inside && h.opacity(image) >= 0.4) parts.push(`${image.tagName} ${image.getAttribute('src') || ''}@${Math.round(box.left)},${Math.round(box.top)}`);
    }
    for (const frame of h.all('iframe').slice(0, 50)) {
      const box = h.rect(frame);
      if (box.width <= 0 || box.right <= 0 || box.bottom <= 0 || box.left >= h.W || box.top >= h.H || h.opacity(frame) < 0.4) continue;
      const inner = frame.contentDocument;
      parts.push(`iframe ${inner && inner.location ? inner.location.pathname : frame.src}`);
      const text = inner && inner.body ? inner.body.innerText : '';
      parts.push(mask ? text.replace(/\d+/g, '0') : text);
    }
    let one = 0x811c9dc5;
    let two = 0x1b873593;
    const text = parts.join('\n');
    for (let i = 0; i < text.length; i += 1) {
      one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
      two = Math.imul(two ^ text.charCodeAt(i), 0x85ebca6b);
    }
    return `${one >>> 0} ${two >>> 0}`;
  };
  return { group, dormant, fit, address, radio, force, advance, signature };
}
