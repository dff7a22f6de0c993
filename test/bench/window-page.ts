// The built window in Chromium over a host of its own, and what is measured in it: first paint, frames, and how soon it answers.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';

/** Opens Chromium as the tests do. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });

/** What the page that is opened first loads before it draws, and all that there is; bytes as gzip makes them. */
export const bundleBytes = async (page: string): Promise<{ first: number; all: number }> => {
  const index = await readFile(join(page, 'index.html'), 'utf8');
  const named = new Set([...index.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name.slice('assets/'.length)));
  let [first, all] = [0, 0];
  for (const name of await readdir(join(page, 'assets'))) {
    const size = gzipSync(await readFile(join(page, 'assets', name))).length;
    all += size;
    if (named.has(name)) first += size;
  }
  return { first, all };
};

// Interactive: the page has its heading, and the frame after it was drawn.
const watchStart = `(() => {
  const look = () => {
    if (document.querySelector('.page-title')) requestAnimationFrame(() => setTimeout(() => { window.__usable = performance.now(); }));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

const waitUntilUsable = async (page: Page, hasFailed: () => boolean): Promise<boolean> => {
  while (!hasFailed()) {
    const isUsable = await page.evaluate('window.__usable !== undefined').catch(() => false);
    if (isUsable) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

/** The window, there and usable. Chromium gives up what it is loading whenever a network of the machine comes or goes: then it is opened anew. */
export const openWindow = async (context: BrowserContext, newUrl: () => string): Promise<Page> => {
  for (;;) {
    const page = await context.newPage();
    let hasFailed = false;
    page.on('requestfailed', () => {
      hasFailed = true;
    });
    await page.addInitScript(watchStart);
    await page.goto(newUrl()).catch(() => undefined);
    const isThere = await waitUntilUsable(page, () => hasFailed);
    if (isThere) return page;
    await page.close();
  }
};

/** Milliseconds from the wish for the page until its first content is painted, and until it can be used. */
export const measureStart = async (browser: Browser, newUrl: () => string): Promise<{ painted: number; usable: number }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await openWindow(context, newUrl);
  const painted = Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
  const usable = Number(await page.evaluate('window.__usable'));
  await context.close();
  return { painted, usable };
};

/** The longest time between two frames while something is done, in milliseconds. */
export const longestFrame = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  await page.evaluate(`(() => {
    window.__longest = 0;
    window.__watches = true;
    let before = performance.now();
    const look = (now) => {
      window.__longest = Math.max(window.__longest, now - before);
      before = now;
      if (window.__watches) requestAnimationFrame(look);
    };
    requestAnimationFrame((now) => { before = now; requestAnimationFrame(look); });
  })()`);
  await act();
  return Number(await page.evaluate('(window.__watches = false, window.__longest)'));
};

/** Scrolls an element to its end (or its beginning) by a step each frame, until there is no further. */
export const scrollThrough = (page: Page, selector: string, step: number): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const element = document.querySelector(${JSON.stringify(selector)});
    let still = 0;
    const go = () => {
      const before = element.scrollTop;
      element.scrollTop += ${step};
      // Rows come in pages: the end is where nothing has come for a while.
      still = element.scrollTop === before ? still + 1 : 0;
      if (still > 40) resolve(null);
      else requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  })`);

/** A key every 50 ms for so long, and for each the milliseconds until a frame was drawn after it; the slowest last. */
export const answerTimes = async (page: Page, forMs: number): Promise<number[]> => {
  const times = (await page.evaluate(`new Promise((resolve) => {
    const times = [];
    const timer = setInterval(() => {
      const began = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began)));
    }, 50);
    setTimeout(() => { clearInterval(timer); resolve(times); }, ${forMs});
  })`)) as number[];
  return times.sort((a, b) => a - b);
};
