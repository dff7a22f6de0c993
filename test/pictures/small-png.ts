// Makes a picture of the app small: at most 256 colours, which is all that a window has but for the edges of letters.
// Source: PNG specification, third edition, 11.2.1 (indexed colour) and 9.2 (no filter).
import { crc32, deflateSync } from 'node:zlib';
import type { Browser } from 'playwright';

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha of each pixel, row by row. */
  rgba: Buffer;
}

/** Lets the browser read its own picture. */
export const readPixels = async (browser: Browser, png: Buffer): Promise<Pixels> => {
  const page = await browser.newPage();
  try {
    await page.setContent(`<img src="data:image/png;base64,${png.toString('base64')}">`);
    const { width, height, base64 } = await page.evaluate<{ width: number; height: number; base64: string }>(
      `(async () => {
        const image = document.querySelector('img');
        await image.decode();
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
        const drawing = canvas.getContext('2d');
        drawing.drawImage(image, 0, 0);
        const { width, height, data } = drawing.getImageData(0, 0, canvas.width, canvas.height);
        let text = '';
        for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
        return { width, height, base64: btoa(text) };
      })()`,
    );
    return { width, height, rgba: Buffer.from(base64, 'base64') };
  } finally {
    await page.close();
  }
};

type Colour = readonly [red: number, green: number, blue: number];

const maxColours = 256;
/** Colours that differ less than this are one to the eye. */
const step = 6;

const keyOf = (rgba: Buffer, at: number): number =>
  (Math.round((rgba[at] ?? 0) / step) << 16) | (Math.round((rgba[at + 1] ?? 0) / step) << 8) | Math.round((rgba[at + 2] ?? 0) / step);

const distance = (a: Colour, b: Colour): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** The colours that are used most, and which of them stands for each other one. */
const choosePalette = ({ rgba }: Pixels): { palette: Colour[]; indexOf: Map<number, number> } => {
  const counts = new Map<number, { count: number; colour: Colour }>();
  for (let at = 0; at < rgba.length; at += 4) {
    const key = keyOf(rgba, at);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { count: 1, colour: [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0] });
    else known.count += 1;
  }
  const palette = [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, maxColours)
    .map(({ colour }) => colour);
  const nearest = (colour: Colour): number =>
    palette.reduce((best, one, index) => (distance(one, colour) < distance(palette[best] ?? colour, colour) ? index : best), 0);
  return { palette, indexOf: new Map([...counts].map(([key, { colour }]) => [key, nearest(colour)])) };
};

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};

/** The picture as a PNG file. */
export const toSmallPng = (pixels: Pixels): Buffer => {
  const { width, height, rgba } = pixels;
  const { palette, indexOf } = choosePalette(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indexOf.get(keyOf(rgba, (y * width + x) * 4)) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
