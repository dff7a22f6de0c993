// Takes a page as a small grey picture and compares it with the one that is kept. `SANDLOT_UPDATE_PICTURES=1` keeps new ones.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { differenceOf, fromPng, type GreyPicture, toPng } from './grey-picture.ts';

const folder = fileURLToPath(new URL('journeys/pictures/', import.meta.url));
const pictureWidth = 200;
/** Part of the picture that may show something else. */
const tolerance = 0.035;

// Times, ids and amounts differ from run to run; a face that every test machine has stands in for the system's.
const steady = `:root { --font: "Liberation Sans", sans-serif !important; --mono: "Liberation Mono", monospace !important; }
  time, .num, .copy, .egress-chart svg, .nav-count, .nav-foot-runtime, .xterm-cursor, .mantine-Notifications-root, .cm-cursorLayer { visibility: hidden !important; }`;

// Runs in an empty page, where no policy forbids a picture made of data.
const shrink = `async ({ data, width }) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const height = Math.round((image.height / image.width) * width);
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  const { data: rgba } = context.getImageData(0, 0, width, height);
  const pixels = [];
  for (let at = 0; at < rgba.length; at += 4) pixels.push(Math.round(0.299 * rgba[at] + 0.587 * rgba[at + 1] + 0.114 * rgba[at + 2]));
  return { height, pixels };
}`;

// A sheet that is made by a script is no inline style: the policy of the page stays as it is.
const steadied = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(steady)});
  document.adoptedStyleSheets.push(sheet);
})()`;
const freed = 'document.adoptedStyleSheets.pop()';

/** The page as it is, small and grey. */
const takePicture = async (page: Page): Promise<GreyPicture> => {
  await page.evaluate(steadied);
  const data = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  await page.evaluate(freed);
  const empty = await page.context().browser()?.newPage();
  if (empty === undefined) throw new Error('the page has no browser any more');
  try {
    const asked = JSON.stringify({ data, width: pictureWidth });
    const { height, pixels } = (await empty.evaluate(`(${shrink})(${asked})`)) as { height: number; pixels: number[] };
    // In as few greys as the kept one has.
    return fromPng(toPng({ width: pictureWidth, height, pixels: Uint8Array.from(pixels) }));
  } finally {
    await empty.close();
  }
};

const pathOf = (name: string): string => `${folder}${name}.png`;

/** How much of the page shows something else than its kept picture, 0 to 1. */
const differenceFromKept = async (page: Page, name: string): Promise<number> =>
  differenceOf(fromPng(await readFile(pathOf(name))), await takePicture(page));

/** Fails when the page does not look like its kept picture. */
export const expectPicture = async (page: Page, name: string): Promise<void> => {
  if (process.env['SANDLOT_UPDATE_PICTURES'] === '1') await writeFile(pathOf(name), toPng(await takePicture(page)));
  // What is still on its way when a machine is slow comes in a moment.
  await expect
    .poll(() => differenceFromKept(page, name), { message: `how much of “${name}” shows something else`, timeout: 5_000, interval: 500 })
    .toBeLessThan(tolerance);
};

/** Whether the page as it is now would be refused. */
export const isRefused = async (page: Page, name: string): Promise<boolean> => (await differenceFromKept(page, name)) >= tolerance;
