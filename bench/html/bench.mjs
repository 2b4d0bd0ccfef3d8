// SPDX-License-Identifier: MIT OR Apache-2.0
// How fast HTML decks become pictures, against playwright-core and decktape with the same browser:
// seconds for a deck of 2 and of 40 slides from the start of the process to its end, milliseconds for
// each further slide, and what a second browser on a second core brings. Runs take turns, and medians
// count. Usage: node bench.mjs DECKPROOF CACHE [ROUNDS]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import os from 'node:os';

const [program, cacheName, rounds = '5'] = process.argv.slice(2);
if (!program || !cacheName) {
  console.error('usage: node bench.mjs DECKPROOF CACHE [ROUNDS]');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const cache = resolve(cacheName);
const browser = '/usr/lib/chromium/chromium-headless-shell';
const GOALS = { slide: 2, total: 2, decktape: 40, cores: 1.7 };

// ---- Peers, installed into the cache alone ----
const peers = ['playwright-core@1.65.1', 'decktape@3.16.1', 'reveal.js@5.2.1'];
mkdirSync(cache, { recursive: true });
if (!existsSync(join(cache, 'node_modules', 'decktape'))) {
  console.log(`installing ${peers.join(', ')} from npm into ${cache}`);
  writeFileSync(join(cache, 'package.json'), '{"private":true}\n');
  const env = { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...peers], { cwd: cache, env, stdio: 'inherit' });
}

// ---- Decks ----
const words = 'measure plan deliver result margin growth customer quarter risk team region price'.split(' ');
const slide = (n) => {
  const items = Array.from({ length: 5 }, (_, i) => `<li>${words.map((_, k) => words[(k * 5 + n + i) % words.length]).slice(0, 7).join(' ')}</li>`).join('');
  const bars = Array.from({ length: 12 }, (_, i) => `<rect x="${i * 40}" y="${200 - ((n * 37 + i * 53) % 180)}" width="30" height="${(n * 37 + i * 53) % 180}" fill="hsl(${(n * 29 + i * 9) % 360} 60% 50%)"/>`).join('');
  return `<section data-background-color="hsl(${(n * 47) % 360} 40% 95%)"><h2>Slide ${n}: ${words[n % words.length]}</h2><ul>${items}</ul><svg width="480" height="200">${bars}</svg></section>`;
};
const makeDeck = (name, count) => {
  const folder = join(cache, 'decks', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(cache, 'node_modules', 'reveal.js', 'dist'), join(folder, 'dist'), { recursive: true });
  const slides = Array.from({ length: count }, (_, i) => slide(i + 1)).join('\n');
  writeFileSync(join(folder, 'index.html'), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench</title><link rel="stylesheet" href="dist/reveal.css"><link rel="stylesheet" href="dist/theme/white.css"></head><body><div class="reveal"><div class="slides">${slides}</div></div><script src="dist/reveal.js"></script><script>Reveal.initialize({width:1280,height:720,margin:0.04,hash:false,transition:'none',controls:false,progress:false})</script></body></html>\n`);
  return folder;
};
const decks = { 2: makeDeck('two', 2), 40: makeDeck('forty', 40), again: makeDeck('forty-again', 40) };

// ---- Runs ----
const out = join(cache, 'out');
const timed = (command, args) => {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const start = process.hrtime.bigint();
  const ran = spawnSync(command, args, { cwd: cache, encoding: 'utf8' });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${ran.status} ${ran.signal} ${ran.error}\n${ran.stdout}\n${ran.stderr}`);
  return seconds;
};
const ours = (...names) => timed(resolve(program), ['render', '--quiet', ...names.map((name) => join(decks[name], 'index.html')), '--out', out]);
const playwright = (name) => timed(process.execPath, [join(here, 'playwright.mjs'), join(cache, 'node_modules'), browser, decks[name], out]);
const decktape = (name) => timed(process.execPath, [
  join(cache, 'node_modules', 'decktape', 'decktape.js'), 'reveal', `file://${decks[name]}/index.html`, 'deck.pdf',
  '--screenshots', '--screenshots-directory', out, '--size', '1280x720', '--chrome-path', browser, '--chrome-arg=--no-sandbox',
]);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const times = { ours2: [], ours40: [], oursBoth: [], pw2: [], pw40: [] };
console.log(`${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)} at the start, ${rounds} rounds`);
ours('2');
playwright('2');
for (let round = 0; round < Number(rounds); round += 1) {
  times.ours2.push(ours('2'));
  times.pw2.push(playwright('2'));
  times.ours40.push(ours('40'));
  times.pw40.push(playwright('40'));
  times.oursBoth.push(ours('40', 'again'));
}
const m = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
const perSlide = (two, forty) => ((forty - two) / 38) * 1000;
const row = (name, two, forty) => console.log(`${name.padEnd(12)} ${two.toFixed(2)} s for 2 slides, ${forty.toFixed(2)} s for 40, ${perSlide(two, forty).toFixed(1)} ms for each further slide`);
row('deckproof', m.ours2, m.ours40);
row('playwright', m.pw2, m.pw40);
console.log(`two decks of 40 slides at once: ${m.oursBoth.toFixed(2)} s`);
// Minutes each, so once.
const dt = process.env.BENCH_QUICK ? {} : { two: decktape('2'), forty: decktape('40') };
if (dt.forty) row('decktape', dt.two, dt.forty);
const ratios = [
  ['per slide, playwright to deckproof', perSlide(m.pw2, m.pw40) / perSlide(m.ours2, m.ours40), GOALS.slide],
  ['2 slides in total, playwright to deckproof', m.pw2 / m.ours2, GOALS.total],
  ['40 slides in total, playwright to deckproof', m.pw40 / m.ours40, GOALS.total],
  ['two browsers on two cores to one', (2 * m.ours40) / m.oursBoth, GOALS.cores],
];
if (dt.forty) ratios.push(['40 slides in total, decktape to deckproof', dt.forty / m.ours40, GOALS.decktape]);
for (const [what, ratio, goal] of ratios) console.log(`${ratio.toFixed(2).padStart(7)}  ${what} (goal ${goal}${ratio >= goal ? ', reached' : ', missed'})`);
console.log(`load ${os.loadavg()[0].toFixed(1)} at the end`);
rmSync(out, { recursive: true, force: true });
