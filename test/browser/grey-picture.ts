// Small grey pictures of a page: kept as PNG files of sixteen greys, and told apart by what stands where, not by single pixels.
import { deflateSync, inflateSync } from 'node:zlib';

/** One byte a pixel, row by row, 0 is black. */
export interface GreyPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

const crcOf = (bytes: Buffer): number => {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  crc.writeUInt32BE(crcOf(named));
  return Buffer.concat([length, named, crc]);
};

/** As a PNG file of four bits a pixel. Source: PNG specification, third edition, 11.2 and 9.2 (no filter). */
export const toPng = ({ width, height, pixels }: GreyPicture): Buffer => {
  const stride = Math.ceil(width / 2) + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const nibble = Math.round((pixels[y * width + x] ?? 0) / 17);
      const at = y * stride + 1 + (x >> 1);
      rows[at] = (rows[at] ?? 0) | (x % 2 === 0 ? nibble << 4 : nibble);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 0, 0, 0, 0], 8);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
};

/** Reads what toPng wrote: one header, one body. */
export const fromPng = (file: Buffer): GreyPicture => {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const bodyAt = 8 + 25;
  const rows = inflateSync(file.subarray(bodyAt + 8, bodyAt + 8 + file.readUInt32BE(bodyAt)));
  const stride = Math.ceil(width / 2) + 1;
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const byte = rows[y * stride + 1 + (x >> 1)] ?? 0;
    return (x % 2 === 0 ? byte >> 4 : byte & 15) * 17;
  });
  return { width, height, pixels };
};

const tileSize = 20;

interface Tile {
  /** Mean grey. */
  light: number;
  /** Mean distance from it: how much is written or drawn there. */
  ink: number;
}

const tilesOf = ({ width, height, pixels }: GreyPicture): Tile[] => {
  const tiles: Tile[] = [];
  for (let top = 0; top + tileSize <= height; top += tileSize)
    for (let left = 0; left + tileSize <= width; left += tileSize) {
      const inside = Array.from({ length: tileSize ** 2 }, (_, index) => {
        const at = (top + Math.floor(index / tileSize)) * width + left + (index % tileSize);
        return pixels[at] ?? 0;
      });
      const light = inside.reduce((sum, one) => sum + one, 0) / inside.length;
      tiles.push({ light, ink: inside.reduce((sum, one) => sum + Math.abs(one - light), 0) / inside.length });
    }
  return tiles;
};

/** How far a tile may be from its own before it counts as another one: what other fonts and longer words do stays below. */
const tileTolerance = 5;

/** Which part of the tiles shows something else, 0 to 1. */
export const differenceOf = (one: GreyPicture, other: GreyPicture): number => {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [tiles, others] = [tilesOf(one), tilesOf(other)];
  const changed = tiles.filter(({ light, ink }, at) => {
    const there = others[at];
    return there === undefined || Math.abs(light - there.light) + Math.abs(ink - there.ink) > tileTolerance;
  });
  return changed.length / tiles.length;
};
