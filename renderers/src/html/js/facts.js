// Asks the rendered document what a viewer can see. Runs in a world of its own over the page's
// document, so that nothing the page has redefined takes part. Called as a function with the
// element of the slide (or null) and answers with a string of JSON.
(slide) => {
  'use strict';
  const W = innerWidth;
  const H = innerHeight;
  const MOST = 20000;
  const EMU = 9525;
  const root = slide instanceof Element ? slide : document.body || document.documentElement;
  const SKIP = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'TITLE', 'META', 'LINK', 'BASE']);
  const styles = new Map();
  const styleOf = (e) => {
    let style = styles.get(e);
    if (!style) styles.set(e, (style = getComputedStyle(e)));
    return style;
  };
  const parentOf = (e) => e.assignedSlot || e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const childrenOf = (e) => {
    if (e.shadowRoot) return Array.from(e.shadowRoot.childNodes);
    if (e.tagName === 'SLOT') {
      const assigned = e.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return Array.from(e.childNodes);
  };
  const box = (left, top, right, bottom) => ({ left, top, right, bottom });
  const meet = (a, b) => box(Math.max(a.left, b.left), Math.max(a.top, b.top), Math.min(a.right, b.right), Math.min(a.bottom, b.bottom));
  const area = (b) => (b.right > b.left && b.bottom > b.top ? (b.right - b.left) * (b.bottom - b.top) : 0);
  const join = (a, b) => (!a ? b : box(Math.min(a.left, b.left), Math.min(a.top, b.top), Math.max(a.right, b.right), Math.max(a.bottom, b.bottom)));
  const emu = (b) => ({
    x: Math.round(b.left * EMU), y: Math.round(b.top * EMU),
    width: Math.max(0, Math.round((b.right - b.left) * EMU)), height: Math.max(0, Math.round((b.bottom - b.top) * EMU)),
  });
  const NOTHING = box(0, 0, 0, 0);
  const CANVAS = box(0, 0, W, H);

  // What opacity, visibility and clipping leave of an element, each asked once.
  const sights = new Map();
  const sight = (e) => {
    if (!e) return { opacity: 1, clip: CANVAS, drawn: true };
    let found = sights.get(e);
    if (found) return found;
    const style = styleOf(e);
    const above = sight(parentOf(e));
    const drawn = above.drawn && style.display !== 'none' && style.contentVisibility !== 'hidden';
    let { clip } = above;
    // A fixed or absolute box escapes the clipping of boxes that do not contain it.
    if (style.position === 'fixed') clip = CANVAS;
    if (drawn && style.display !== 'contents' && e !== document.body && e !== document.documentElement) {
      const cut = /hidden|clip|auto|scroll/;
      const b = e.getBoundingClientRect();
      if (cut.test(style.overflowX)) clip = meet(clip, box(b.left, -1e6, b.right, 1e6));
      if (cut.test(style.overflowY)) clip = meet(clip, box(-1e6, b.top, 1e6, b.bottom));
      if (style.clip !== 'auto' && style.position === 'absolute' && /rect\(\s*(0|1)px/.test(style.clip)) clip = NOTHING;
      if (/^inset\((50|100)%/.test(style.clipPath) || /^circle\(0/.test(style.clipPath)) clip = NOTHING;
    }
    found = { opacity: above.opacity * Number(style.opacity), clip, drawn };
    sights.set(e, found);
    return found;
  };
  const clear = (e) => {
    const s = sight(e);
    return s.drawn && s.opacity >= 0.2 && styleOf(e).visibility === 'visible';
  };

  const rgba = (colour) => {
    const m = /rgba?\(([^)]+)\)/.exec(colour);
    if (!m) return null;
    const p = m[1].split(/[\s,/]+/).filter(Boolean).map(Number);
    return { r: p[0], g: p[1], b: p[2], a: p.length > 3 ? p[3] : 1 };
  };
  const luminance = (c) => {
    const f = (v) => { const x = v / 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(c.r) + 0.7152 * f(c.g) + 0.0722 * f(c.b);
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const REPLACED = new Set(['IMG', 'CANVAS', 'VIDEO', 'IFRAME', 'OBJECT', 'EMBED', 'image']);
  // What an element puts down: a colour, something unknown, or nothing.
  const paint = (e) => {
    if (!clear(e)) return null;
    const style = styleOf(e);
    const strong = sight(e).opacity > 0.9;
    if (REPLACED.has(e.tagName)) return 'unknown';
    if (e instanceof SVGElement && e.tagName !== 'svg') return style.fill !== 'none' && Number(style.fillOpacity) > 0.9 ? 'unknown' : null;
    if (style.backgroundImage !== 'none' && style.backgroundClip !== 'text') return 'unknown';
    const colour = rgba(style.backgroundColor);
    return colour && colour.a > 0.9 && strong ? colour : colour && colour.a > 0.05 ? 'unknown-thin' : null;
  };
  const within = (inner, outer) => {
    for (let e = inner; e; e = parentOf(e)) if (e === outer) return true;
    return false;
  };
  const deepStack = (x, y) => {
    const out = [];
    const visit = (scope) => {
      for (const e of scope.elementsFromPoint(x, y)) {
        if (out.includes(e)) continue;
        if (e.shadowRoot && e.shadowRoot !== scope) visit(e.shadowRoot);
        if (!out.includes(e)) out.push(e);
      }
    };
    visit(document);
    return out;
  };
  // Whether something lies over an element at a point, and the colour that lies under it.
  const at = (element, x, y) => {
    let over = true;
    let ground = null;
    for (const e of deepStack(x, y)) {
      const own = e === element || within(e, element);
      if (over && (own || within(element, e))) over = false;
      const painted = paint(e);
      if (over) {
        if (painted && painted !== 'unknown-thin') return { covered: true };
      } else if (painted) {
        ground = painted;
        break;
      }
    }
    return { covered: false, ground };
  };

  const keys = new Map();
  const step = (e) => {
    let place = 1;
    for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (s.tagName === e.tagName) place += 1;
    const tag = e.tagName.toLowerCase();
    return place === 1 ? tag : `${tag}:${place}`;
  };
  const keyOf = (e) => {
    if (e === root) return root.tagName.toLowerCase();
    let key = keys.get(e);
    if (key === undefined) {
      const parent = e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
      key = parent ? `${keyOf(parent)}/${step(e)}` : `/${step(e)}`;
      keys.set(e, key);
    }
    return key;
  };
  const inside = (e) => within(e, root);

  // ---- Text ----
  const inline = (e) => {
    const d = styleOf(e).display;
    if (d === 'inline' || d === 'contents' || d.startsWith('ruby')) return true;
    return d === 'inline-block' && !Array.from(e.querySelectorAll('*')).some((c) => !/^(inline|none|contents)/.test(styleOf(c).display));
  };
  const texts = [];
  let run = null;
  const push = (node, raw) => {
    const parent = node.parentElement || parentOf(node) || root;
    const keep = /pre|break-spaces/.test(styleOf(parent).whiteSpace);
    let text = keep ? raw : raw.replace(/[ \t\n\r\f]+/g, ' ');
    if (!keep && (run.text === '' || /\s$/.test(run.text))) text = text.replace(/^ /, '');
    if (text === '') return;
    run.text += text;
    run.nodes.push(node);
  };
  const flush = () => {
    if (run && run.text.trim() !== '') {
      const text = run.text.replace(/ *\n */g, '\n').replace(/^ +| +$/g, '');
      texts.push({ text, nodes: run.nodes, owner: run.owner });
    }
    run = null;
  };
  const NOTES = 'aside.notes, .speaker-notes, .presenter-notes, .notes-panel, .remark-notes, .remark-notes-area';
  const walkText = (e, owner) => {
    for (const child of childrenOf(e)) {
      if (child.nodeType === Node.TEXT_NODE) {
        if (child.nodeValue.trim() === '' && !run) continue;
        if (!run) run = { text: '', nodes: [], owner };
        push(child, child.nodeValue);
      } else if (child.nodeType === Node.ELEMENT_NODE && !SKIP.has(child.tagName)) {
        if (child.tagName === 'BR') {
          if (run) run.text += '\n';
        } else if (child.matches(NOTES) && !sight(child).drawn) {
          // Notes are no text of the slide.
        } else if (styleOf(child).display !== 'none' && inline(child)) {
          walkText(child, owner);
        } else {
          flush();
          walkText(child, child);
          flush();
        }
      }
    }
  };

  const inkOf = (e, style) => rgba(e instanceof SVGElement ? style.fill : style.webkitTextFillColor || style.color);
  // How much larger than its style says an element is drawn.
  const scaleOf = (e) => {
    if (e instanceof SVGGraphicsElement) {
      const m = e.getScreenCTM();
      return m ? Math.hypot(m.a, m.b) : 1;
    }
    const width = e.offsetWidth || 0;
    const drawn = e.getBoundingClientRect().width;
    return width > 0 && drawn > 0 ? drawn / width : 1;
  };
  // Whether text runs neither level nor upright, so that its box says little about where it is.
  const tilts = new Map();
  const tilted = (e) => {
    if (!e) return false;
    if (tilts.has(e)) return tilts.get(e);
    const slant = (a, b) => Math.abs(a) > 0.02 && Math.abs(b) > 0.02;
    let found = false;
    if (e instanceof SVGGraphicsElement) {
      const m = e.getScreenCTM();
      found = Boolean(m) && slant(m.a, m.b);
    }
    const { transform, rotate } = styleOf(e);
    if (transform !== 'none') {
      const m = new DOMMatrixReadOnly(transform);
      found = found || slant(m.a, m.b);
    }
    found = found || (rotate !== 'none' && rotate !== '') || tilted(parentOf(e));
    tilts.set(e, found);
    return found;
  };
  const inFlow = (e) => {
    for (let a = e; a && a !== root; a = parentOf(a)) if (/absolute|fixed/.test(styleOf(a).position)) return false;
    return true;
  };
  const bordered = (e) => {
    const s = styleOf(e);
    const edge = (width, style, colour) => parseFloat(width) > 0 && style !== 'none' && (rgba(colour) || { a: 1 }).a > 0.2;
    return edge(s.borderTopWidth, s.borderTopStyle, s.borderTopColor) && edge(s.borderBottomWidth, s.borderBottomStyle, s.borderBottomColor);
  };
  // The painted box, such as a card, that a text stands in.
  const cards = new Map();
  const cardOf = (e) => {
    if (!e || e === root || e === document.body || e === document.documentElement || e instanceof SVGElement) return null;
    if (cards.has(e)) return cards.get(e);
    const { display, position } = styleOf(e);
    const boxed = !/^(inline|contents)$/.test(display);
    let found = null;
    if (boxed && (paint(e) || bordered(e))) found = e;
    else if (!/absolute|fixed/.test(position)) found = cardOf(parentOf(e));
    cards.set(e, found);
    return found;
  };
  // By how many pixels a line leaves a box. A line's box is taller than its letters.
  const beyond = (r, b) => {
    const across = Math.max(b.left - r.left, r.right - b.right);
    const along = Math.max(b.top - r.top, r.bottom - b.bottom) - 0.25 * (r.bottom - r.top);
    return Math.max(across - 2, along, 0);
  };
  const MOST_LINES = 60;
  const round = (n) => Math.round(n * 10) / 10;

  const textFact = ({ text, nodes, owner }) => {
    let union = null;
    let visible = true;
    let clearly = true;
    let sure = null;
    const lines = [];
    const trouble = { cut: 0, off: 0, spill: 0 };
    const slideBox = meet(root.getBoundingClientRect(), CANVAS);
    for (const node of nodes) {
      const parent = node.parentElement || owner;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = Array.from(range.getClientRects()).filter((r) => r.width > 0 && r.height > 0).slice(0, 200);
      if (rects.length === 0 && node.nodeValue.trim() !== '') visible = false;
      if (!clear(parent)) {
        visible = false;
        clearly = false;
      }
      const style = styleOf(parent);
      const ink = inkOf(parent, style);
      const filled = style.backgroundClip === 'text' || style.webkitBackgroundClip === 'text';
      if (ink && ink.a < 0.1 && !filled && style.webkitTextStrokeWidth === '0px') visible = false;
      const size = parseFloat(style.fontSize) * scaleOf(parent);
      if (node.nodeValue.trim() !== '' && (!sure || size < sure.size)) {
        const known = ink && !filled ? [ink.r, ink.g, ink.b, ink.a * sight(parent).opacity] : null;
        sure = { ink: known, size: round(size), bold: Number(style.fontWeight) >= 600 };
      }
      const card = cardOf(parent);
      const cardBox = card ? card.getBoundingClientRect() : null;
      for (const r of rects) {
        const b = box(r.left, r.top, r.right, r.bottom);
        union = join(union, b);
        if (lines.length < MOST_LINES) lines.push([b.left, b.top, b.right, b.bottom].map(round));
        const seen = meet(b, sight(parent).clip);
        if (clearly && style.webkitTextFillColor !== 'transparent') {
          if (area(seen) > 0) trouble.cut = Math.max(trouble.cut, beyond(b, sight(parent).clip));
          else if (area(meet(b, slideBox)) === 0 && inFlow(parent)) trouble.off = Math.max(trouble.off, beyond(b, slideBox));
          if (cardBox && area(seen) > 0) trouble.spill = Math.max(trouble.spill, beyond(b, cardBox) - 1);
        }
        if (!visible) continue;
        if (r.height < 3) visible = false;
        if (area(seen) < 0.85 * area(b)) { visible = false; continue; }
        const points = [0.1, 0.5, 0.9].map((share) => at(parent, Math.min(W - 1, r.left + share * r.width), Math.min(H - 1, r.top + r.height / 2)));
        if (points.filter((p) => p.covered).length >= 2) visible = false;
        const ground = points[1].covered ? null : points[1].ground || { r: 255, g: 255, b: 255, a: 1 };
        if (ink && ground && typeof ground === 'object' && !filled && style.textShadow === 'none' && style.webkitTextStrokeWidth === '0px') {
          const mixed = { r: ink.r * ink.a + ground.r * (1 - ink.a), g: ink.g * ink.a + ground.g * (1 - ink.a), b: ink.b * ink.a + ground.b * (1 - ink.a) };
          if (contrast(mixed, ground) < 1.2) visible = false;
        }
      }
    }
    // A block of which one line is seen and the next is not is cut as well.
    if (clearly && union && trouble.off === 0 && trouble.cut > 0 && area(meet(union, sight(owner).clip)) === 0) trouble.cut = 0;
    const cell = owner.closest && owner.closest('td,th');
    return {
      text, rect: emu(union || NOTHING), visible: visible && union !== null, cell: Boolean(cell), element: keyOf(owner), inside: inside(owner),
      lines, ink: sure && sure.ink, size: sure ? sure.size : 0, bold: Boolean(sure && sure.bold), tilted: tilted(owner),
      cut: round(trouble.cut), off: round(trouble.off), spill: round(trouble.spill),
    };
  };

  // ---- Boxes that would have to be scrolled ----
  const scrollers = [];
  const scroller = (e) => {
    if (e === root || within(root, e) || !clear(e)) return;
    const s = styleOf(e);
    const more = (overflow, whole, part) => (/auto|scroll/.test(overflow) && part >= 20 && whole - part > 4 ? whole - part : 0);
    const hidden = Math.max(more(s.overflowX, e.scrollWidth, e.clientWidth), more(s.overflowY, e.scrollHeight, e.clientHeight));
    if (hidden > 0 && e.textContent.trim() !== '' && area(meet(e.getBoundingClientRect(), sight(e).clip)) > 0) {
      scrollers.push([keyOf(e), hidden]);
    }
  };

  // ---- Pictures ----
  const images = [];
  const short = (url) => (url.length > 12000000 ? url.slice(0, 100) : url);
  const image = (e, source, rect, loaded, crop) => {
    const b = box(rect.left, rect.top, rect.right, rect.bottom);
    const shown = meet(b, sight(e).clip);
    let visible = loaded && clear(e) && area(shown) >= 16 && area(shown) >= 0.1 * area(b);
    if (visible) {
      let covered = 0;
      for (const u of [0.2, 0.5, 0.8]) {
        for (const v of [0.2, 0.5, 0.8]) {
          const x = shown.left + u * (shown.right - shown.left);
          const y = shown.top + v * (shown.bottom - shown.top);
          if (at(e, x, y).covered) covered += 1;
        }
      }
      visible = covered < 7;
    }
    images.push({
      source: short(source), rect: emu(b), shown: area(shown) > 0 ? emu(shown) : emu(NOTHING), crop: crop || [0, 0, 0, 0], visible,
      element: keyOf(e), inside: inside(e),
    });
  };
  const cropOf = (e) => {
    const { objectFit } = styleOf(e);
    const b = e.getBoundingClientRect();
    const [w, h] = [e.naturalWidth, e.naturalHeight];
    if (objectFit !== 'cover' || !w || !h || !b.width || !b.height) return null;
    const scale = Math.max(b.width / w, b.height / h);
    const x = Math.round((1 - b.width / (w * scale)) * 50000);
    const y = Math.round((1 - b.height / (h * scale)) * 50000);
    return [x, y, x, y];
  };
  const URLS = /url\("((?:[^"\\]|\\.)*)"\)/g;
  const pictures = (e) => {
    const b = e.getBoundingClientRect();
    if (e.tagName === 'IMG') image(e, e.currentSrc || e.src, b, e.naturalWidth > 0, cropOf(e));
    else if (e.tagName === 'image') image(e, new URL(e.href.baseVal || '', document.baseURI).href, b, true);
    else if (e.tagName === 'svg' && !(e.parentElement instanceof SVGElement)) image(e, 'inline:svg', b, true);
    else if (e.tagName === 'CANVAS') image(e, 'inline:canvas', b, true);
    else if (e.tagName === 'VIDEO') image(e, e.poster || e.currentSrc, b, true);
    else if (e.tagName === 'OBJECT' || e.tagName === 'EMBED') image(e, e.data || e.src, b, true);
    const { backgroundImage } = styleOf(e);
    if (backgroundImage.includes('url(')) {
      for (const match of backgroundImage.matchAll(URLS)) image(e, match[1].replace(/\\(.)/g, '$1'), b, true);
    }
  };

  // ---- Elements ----
  const hex = (colour) => {
    const c = rgba(colour);
    if (!c) return colour;
    if (c.a === 0) return 'none';
    const text = `#${[c.r, c.g, c.b].map((v) => Math.round(v).toString(16).padStart(2, '0')).join('').toUpperCase()}`;
    return c.a < 1 ? `${text}/${Math.round(c.a * 1000) / 1000}` : text;
  };
  const local = (text) => text.split(`${location.origin}/`).join('');
  const PLAIN = ['display', 'position', 'zIndex', 'opacity', 'visibility', 'lineHeight', 'letterSpacing', 'textTransform', 'textDecorationLine',
    'whiteSpace', 'listStyleType', 'padding', 'margin', 'borderWidth', 'borderStyle', 'borderRadius', 'boxShadow', 'textShadow', 'transform', 'objectFit', 'overflow', 'clipPath', 'filter', 'mixBlendMode'];
  const kebab = (name) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  const styleFacts = (e) => {
    const s = styleOf(e);
    const facts = {
      fill: hex(s.backgroundColor), color: hex(s.color), 'font-size': s.fontSize, 'font-family': s.fontFamily.replace(/["']/g, ''),
      bold: String(Number(s.fontWeight) >= 600), 'font-weight': s.fontWeight, italic: String(s.fontStyle !== 'normal'), align: s.textAlign === 'start' ? 'left' : s.textAlign,
      'background-image': local(s.backgroundImage).slice(0, 500), 'border-color': [s.borderTopColor, s.borderRightColor, s.borderBottomColor, s.borderLeftColor].map(hex).join(' '),
    };
    for (const name of PLAIN) facts[kebab(name)] = s[name];
    if (e instanceof SVGElement) Object.assign(facts, { 'svg-fill': hex(s.fill), stroke: hex(s.stroke), 'stroke-width': s.strokeWidth });
    return facts;
  };
  const elements = [];
  const element = (e) => {
    const own = childrenOf(e).filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.nodeValue.replace(/\s+/g, ' ').trim()).filter(Boolean);
    const b = e.getBoundingClientRect();
    elements.push({
      key: keyOf(e), kind: e.tagName.toLowerCase(), name: Array.from(e.classList).sort().join(' '), text: own.join('\n'),
      style: styleFacts(e), rect: emu(box(b.left, b.top, b.right, b.bottom)),
      visible: clear(e) && area(meet(box(b.left, b.top, b.right, b.bottom), sight(e).clip)) > 0,
    });
  };

  let count = 0;
  const walk = (e) => {
    count += 1;
    if (count > MOST) return;
    if (inside(e)) {
      element(e);
      scroller(e);
    }
    pictures(e);
    for (const child of childrenOf(e)) if (child.nodeType === Node.ELEMENT_NODE && !SKIP.has(child.tagName)) walk(child);
  };

  // Points must find what lies over others even where the pointer passes through it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { pointer-events: auto !important; }');
  const before = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [...before, sheet];
  try {
    const top = document.body || document.documentElement;
    walk(top);
    walkText(top, top);
    flush();
    const note = root.querySelector(NOTES);
    const area720 = root.getBoundingClientRect();
    return JSON.stringify({
      too_many: count > MOST,
      texts: texts.slice(0, MOST).map(textFact).filter((t) => t.inside || t.visible),
      images: images.filter((i) => i.inside || i.visible).map(({ inside: _, ...rest }) => rest),
      elements, notes: note ? note.textContent.replace(/[ \t]+/g, ' ').trim() : null,
      scrollers: scrollers.slice(0, 100),
      overflow: [Math.round(area720.width), Math.round(area720.height), root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight],
    });
  } finally {
    document.adoptedStyleSheets = before;
  }
}
