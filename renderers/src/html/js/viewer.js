// What a page can ask about who is looking. For a person it answers as a browser on a desk does, for
// a program as a headless browser that a tool drives.
(person) => {
  'use strict';
  const native = Function.prototype.toString;
  const disguised = new WeakMap();
  const define = (target, name, get) => {
    try {
      if (!target) return;
      disguised.set(get, `function get ${name}() { [native code] }`);
      Object.defineProperty(target, name, { get, set: undefined, enumerable: true, configurable: true });
    } catch { /* What cannot be changed stays as it is. */ }
  };
  const method = (target, name, value) => {
    try {
      disguised.set(value, `function ${name}() { [native code] }`);
      Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
    } catch { /* As above. */ }
  };
  // Functions that time and randomness put in place of others look like those that they replace.
  for (const [owner, names] of [
    [window, ['setTimeout', 'clearTimeout', 'requestAnimationFrame']], [Math, ['random']],
    [Performance.prototype, ['now']], [window.Crypto && Crypto.prototype, ['getRandomValues', 'randomUUID']],
  ]) {
    for (const name of names) if (owner && typeof owner[name] === 'function') disguised.set(owner[name], `function ${name}() { [native code] }`);
  }
  const toString = function toString() { return disguised.get(this) || native.call(this); };
  disguised.set(toString, 'function toString() { [native code] }');
  Object.defineProperty(Function.prototype, 'toString', { value: toString, enumerable: false, configurable: true, writable: true });

  const navigator = Navigator.prototype;
  if (!person) {
    define(navigator, 'webdriver', () => true);
    define(navigator, 'hardwareConcurrency', () => 1);
    define(window, 'outerWidth', () => 0);
    define(window, 'outerHeight', () => 0);
    return;
  }
  define(navigator, 'webdriver', () => false);
  define(navigator, 'hardwareConcurrency', () => 8);
  define(navigator, 'deviceMemory', () => 8);
  define(navigator, 'pdfViewerEnabled', () => true);
  const list = (prototype, items, key) => {
    const made = Object.create(prototype || Object.prototype);
    items.forEach((item, i) => Object.defineProperty(made, i, { value: item, enumerable: true }));
    items.forEach((item) => Object.defineProperty(made, item[key], { value: item, enumerable: false }));
    Object.defineProperty(made, 'length', { value: items.length });
    Object.defineProperty(made, 'item', { value: (i) => items[i] || null });
    Object.defineProperty(made, 'namedItem', { value: (name) => items.find((item) => item[key] === name) || null });
    Object.defineProperty(made, Symbol.iterator, { value: () => items[Symbol.iterator]() });
    return made;
  };
  const entry = (prototype, values) => {
    const made = Object.create(prototype || Object.prototype);
    for (const [name, value] of Object.entries(values)) Object.defineProperty(made, name, { value, enumerable: true });
    return made;
  };
  const names = ['PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer', 'Microsoft Edge PDF Viewer', 'WebKit built-in PDF'];
  const plugins = list(window.PluginArray && PluginArray.prototype, names.map((name) => entry(window.Plugin && Plugin.prototype, {
    name, filename: 'internal-pdf-viewer', description: 'Portable Document Format', length: 2,
  })), 'name');
  const types = list(window.MimeTypeArray && MimeTypeArray.prototype, ['application/pdf', 'text/pdf'].map((type) => entry(window.MimeType && MimeType.prototype, {
    type, suffixes: 'pdf', description: 'Portable Document Format', enabledPlugin: plugins[0],
  })), 'type');
  define(navigator, 'plugins', () => plugins);
  define(navigator, 'mimeTypes', () => types);
  if (window.NetworkInformation) define(NetworkInformation.prototype, 'rtt', () => 50);
  if (typeof window.chrome === 'undefined') {
    const chrome = { app: { isInstalled: false } };
    method(chrome, 'csi', () => ({ onloadT: 0, startE: 0, pageT: 0, tran: 15 }));
    method(chrome, 'loadTimes', () => ({ requestTime: 0, navigationType: 'Other' }));
    Object.defineProperty(window, 'chrome', { value: chrome, enumerable: true, configurable: false, writable: true });
  }
  for (const kind of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    if (!kind) continue;
    const asked = kind.prototype.getParameter;
    method(kind.prototype, 'getParameter', function getParameter(name) {
      if (name === 37445) return 'Google Inc. (Intel)';
      if (name === 37446) return 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)';
      return asked.call(this, name);
    });
  }
}
