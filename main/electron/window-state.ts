// Remembers where the window was. A place that is on no screen any more is forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

const smallest = { width: 1024, height: 700 };
const usual = { width: 1280, height: 840 };

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Where to open the window: where it was, if that is still visible on one of the screens; else without a place. */
export const restoreBounds = (saved: unknown, screens: readonly Bounds[]): Partial<Bounds> & { width: number; height: number } => {
  const { x, y, width, height } = (saved ?? {}) as Partial<Bounds>;
  if (!isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) return usual;
  const size = { width: Math.max(smallest.width, width), height: Math.max(smallest.height, height) };
  const isSeen = screens.some(
    (screen) => x + 100 > screen.x && x < screen.x + screen.width - 100 && y >= screen.y - 10 && y < screen.y + screen.height - 100,
  );
  return isSeen ? { x, y, ...size } : size;
};

/** What was saved last; null when nothing readable was. */
export const readWindowState = (dataFolder: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'window.json'), 'utf8'));
  } catch {
    // The first start, or a file cut short: the window opens at its usual size.
    return null;
  }
};

/** Saves where the window is. */
export const saveWindowState = (dataFolder: string, bounds: Bounds): void =>
  writeFileSync(join(dataFolder, 'window.json'), JSON.stringify(bounds), { mode: 0o600 });
