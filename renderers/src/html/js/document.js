// Facts of the document as a whole, asked in a world of its own. Answers with a string of JSON.
(() => {
  'use strict';
  const lists = { remote: new Set(), handlers: new Set(), scripts: new Set(), ids: new Set() };
  const MOST = 500;
  const add = (set, value) => { if (set.size < MOST) set.add(String(value).slice(0, 500)); };
  const resolve = (value, base) => {
    try { return new URL(value, base || document.baseURI); } catch { return null; }
  };
  const foreign = (url) => Boolean(url) && url.origin !== location.origin && /^(https?|wss?|ftp|file):$/.test(url.protocol);
  const reference = (value, base) => {
    const url = resolve(value, base);
    if (foreign(url)) add(lists.remote, url.href);
  };
  const RESOURCES = ['src', 'poster', 'data', 'srcset', 'imagesrcset', 'background', 'manifest', 'code', 'archive'];
  const LINKED = new Set(['LINK', 'IMAGE', 'USE', 'FEIMAGE', 'SCRIPT', 'MPATH', 'PATTERN', 'FILTER']);
  const URLS = /url\("((?:[^"\\]|\\.)*)"\)/g;
  const css = (text, base) => { for (const match of text.matchAll(URLS)) reference(match[1].replace(/\\(.)/g, '$1'), base); };
  const seen = new Set();
  const visit = (scope) => {
    for (const e of scope.querySelectorAll('*')) {
      const tag = e.tagName.toUpperCase();
      for (const { name, value } of Array.from(e.attributes)) {
        const plain = name.toLowerCase();
        if (plain.startsWith('on')) add(lists.handlers, `${e.tagName.toLowerCase()}@${plain}`);
        if (/^[\s\u0000-\u001f]*(javascript|vbscript):/i.test(value)) add(lists.scripts, `${e.tagName.toLowerCase()}@${plain}`);
        if (plain === 'srcset' || plain === 'imagesrcset') value.split(',').forEach((part) => reference(part.trim().split(/\s+/)[0]));
        else if (RESOURCES.includes(plain)) reference(value);
        else if ((plain === 'href' || plain === 'xlink:href') && LINKED.has(tag)) reference(value);
      }
      if (e.id) {
        if (seen.has(e.id)) add(lists.ids, e.id);
        seen.add(e.id);
      }
      if (e.style && e.style.cssText.includes('url(')) css(e.style.cssText);
      if (e.shadowRoot) visit(e.shadowRoot);
    }
  };
  const sheet = (styleSheet) => {
    if (styleSheet.href) reference(styleSheet.href);
    let rules = [];
    try { rules = Array.from(styleSheet.cssRules); } catch { return; }
    const base = styleSheet.href || document.baseURI;
    for (const rule of rules) {
      if (rule instanceof CSSImportRule) {
        reference(rule.href, base);
        if (rule.styleSheet) sheet(rule.styleSheet);
      } else if (rule.cssText.includes('url(')) css(rule.cssText, base);
    }
  };
  visit(document);
  Array.from(document.styleSheets).forEach(sheet);
  return JSON.stringify({
    title: document.title || null,
    language: document.documentElement.getAttribute('lang'),
    doctype: document.doctype ? document.doctype.name : null,
    compat_mode: document.compatMode,
    remote_references: Array.from(lists.remote),
    inline_handlers: Array.from(lists.handlers),
    script_urls: Array.from(lists.scripts),
    duplicate_ids: Array.from(lists.ids),
  });
})()
