// SPDX-License-Identifier: MIT OR Apache-2.0
// Documents made readable: a small part of Markdown, and JSON as tables and lists.

/** A document as elements, whatever it holds. */
function readable(source) {
  try {
    return markdown(source);
  } catch {
    // Quotes within quotes can be deeper than the browser's stack.
    return [el("pre", {}, source)];
  }
}

/** Markdown as elements: headings, paragraphs, lists, tables, code, quotes. The rest stays as typed. */
function markdown(source) {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const parts = [];
  while (lines.length > 0) {
    if (lines[0].trim() === "") lines.shift();
    else parts.push(markdownBlock(lines));
  }
  return parts;
}

function markdownBlock(lines) {
  const fence = lines[0].match(/^\s*(```|~~~)/);
  if (fence) {
    lines.shift();
    const code = takeWhile(lines, (line) => !line.trim().startsWith(fence[1]));
    lines.shift();
    return el("pre", {}, code.join("\n"));
  }
  const heading = lines[0].match(/^(#{1,6})\s+(.*?)\s*#*$/);
  if (heading) {
    lines.shift();
    // The panel has the first two levels.
    return el(`h${Math.min(heading[1].length + 2, 6)}`, {}, inline(heading[2]));
  }
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(lines[0])) {
    lines.shift();
    return el("hr");
  }
  if (/^\s*>/.test(lines[0])) {
    const quoted = takeWhile(lines, (line) => /^\s*>/.test(line));
    return el("blockquote", {}, markdown(quoted.map((line) => line.replace(/^\s*> ?/, "")).join("\n")));
  }
  if (isTable(lines)) return table(lines);
  if (ITEM.test(lines[0])) return list(lines);
  const start = lines.shift();
  const more = takeWhile(lines, (line) => line.trim() !== "" && !/^(#{1,6}\s|\s*(```|~~~|>))/.test(line) && !ITEM.test(line));
  return el("p", {}, inline([start, ...more].map((line) => line.trim()).join(" ")));
}

const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+/;

function takeWhile(lines, keep) {
  const taken = [];
  while (lines.length > 0 && keep(lines[0])) taken.push(lines.shift());
  return taken;
}

/** A list; lines that are indented beyond the bullet belong to the item, blank lines between too. */
function list(lines) {
  const [, indent, bullet] = lines[0].match(ITEM);
  const ordered = /\d/.test(bullet);
  const items = el(ordered ? "ol" : "ul", ordered ? { start: parseInt(bullet, 10) } : {});
  while (lines.length > 0) {
    const match = lines[0].match(ITEM);
    if (!match || match[1].length !== indent.length || /\d/.test(match[2]) !== ordered) break;
    const width = match[0].length;
    const own = [lines.shift().slice(width)];
    while (lines.length > 0) {
      const deep = lines[0].search(/\S/);
      const next = lines.find((line) => line.trim() !== "");
      const goesOn = deep > indent.length || (deep < 0 && next !== undefined && next.search(/\S/) > indent.length);
      const lazy = deep >= 0 && own.at(-1) !== "" && !ITEM.test(lines[0]) && !/^#/.test(lines[0]);
      if (!goesOn && !lazy) break;
      own.push(lines.shift().replace(new RegExp(`^\\s{0,${width}}`), ""));
    }
    const content = markdown(own.join("\n"));
    const only = content.length === 1 && content[0].tagName === "P";
    items.append(el("li", {}, only ? [...content[0].childNodes] : content));
    while (lines.length > 1 && lines[0].trim() === "" && ITEM.test(lines[1])) lines.shift();
  }
  return items;
}

function isTable(lines) {
  return lines.length > 1 && lines[0].includes("|") && /^[\s|:-]*-[\s|:-]*$/.test(lines[1]) && lines[1].includes("|");
}

function table(lines) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const head = cells(lines.shift());
  const sides = cells(lines.shift()).map((rule) => (/^-+:$/.test(rule) ? "right" : null));
  const row = (kind, line) => el("tr", {}, line.map((cell, at) => el(kind, { "data-side": sides[at] }, inline(cell))));
  const body = takeWhile(lines, (line) => line.includes("|")).map((line) => row("td", cells(line)));
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, row("th", head)), el("tbody", {}, body)));
}

/** Code, bold and italics inside a line; links show their words and their address, and lead nowhere. */
function inline(text) {
  const pattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|(?<![\p{L}\p{N}*])\*([^\s*](?:[^*]*[^\s*])?)\*|!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)/gu;
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] !== undefined) parts.push(el("code", {}, match[2]));
    else if (match[3] !== undefined) parts.push(el("strong", {}, inline(match[3])));
    else if (match[4] !== undefined) parts.push(el("em", {}, inline(match[4])));
    else parts.push(`${match[5]} (${match[6]})`);
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

/** A JSON document as elements; numbers as they were written, where the browser can tell. */
function jsonDocument(source) {
  let value;
  try {
    value = JSON.parse(source, (key, value, context) => (typeof value === "number" && context?.source) || value);
  } catch {
    return [el("pre", {}, source)];
  }
  return [jsonValue(value, "")];
}

function isScalar(value) {
  return value === null || typeof value !== "object";
}

function jsonValue(value, key) {
  if (isScalar(value)) return el("span", { class: "scalar" }, value === null ? "none" : String(value));
  if (Array.isArray(value)) return jsonList(value, key);
  const rows = Object.entries(value).map(([name, inner]) => [el("dt", {}, words(name)), el("dd", {}, jsonValue(inner, name))]);
  return rows.length === 0 ? el("span", { class: "muted" }, "nothing") : el("dl", {}, rows);
}

function jsonList(values, key) {
  if (values.length === 0) return el("span", { class: "muted" }, "none");
  if (values.every(isScalar)) return el("ul", {}, values.map((value) => el("li", {}, jsonValue(value, key))));
  const names = Object.keys(values[0] ?? {});
  const flat = (value) => !isScalar(value) && !Array.isArray(value) && Object.values(value).every(isScalar)
    && Object.keys(value).join() === names.join();
  if (values.length > 1 && names.length <= 4 && values.every(flat)) {
    const head = el("thead", {}, el("tr", {}, names.map((name) => el("th", {}, words(name)))));
    const rows = values.map((value) => el("tr", {}, names.map((name) => el("td", {}, jsonValue(value[name], name)))));
    return el("div", { class: "wide" }, el("table", {}, head, el("tbody", {}, rows)));
  }
  const one = key === "slides" ? "Slide" : "";
  return el("div", {}, values.map((value, at) => el("section", { class: "item", "data-slide": one ? at + 1 : null },
    el("h4", {}, `${one} ${at + 1}`.trim()), jsonValue(value, ""))));
}
