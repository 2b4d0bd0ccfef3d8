// SPDX-License-Identifier: MIT OR Apache-2.0
// Pictures of a reveal.js deck by playwright-core, with nothing waited for that it need not wait for.
// Usage: node playwright.mjs NODE_MODULES BROWSER DECK OUT
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const [modules, executablePath, deck, out] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath, headless: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1, reducedMotion: 'reduce' });
await page.goto(`file://${deck}/index.html`, { waitUntil: 'load' });
await page.waitForFunction(() => window.Reveal && window.Reveal.isReady());
await page.evaluate(() => document.fonts.ready.then(() => true));
const count = await page.evaluate(() => window.Reveal.getSlides().length);
for (let i = 0; i < count; i += 1) {
  await page.evaluate((at) => window.Reveal.slide(at), i);
  await page.screenshot({ path: join(out, `slide-${String(i + 1).padStart(3, '0')}.png`), type: 'png', scale: 'css', animations: 'allow', caret: 'initial' });
}
await browser.close();
