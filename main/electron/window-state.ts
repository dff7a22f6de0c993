// Remembers where the window was, and whether it filled the screen. A place that is on no screen any more is forgotten.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How the window is: its bounds when it fills nothing, and what it fills. */
export interface WindowState extends Bounds {
  isMaximized: boolean;
  isFullScreen: boolean;
}

/** How to open it; without a place it is in the middle. */
export type WindowStart = Partial<Bounds> & { width: number; height: number; isMaximized: boolean; isFullScreen: boolean };

const smallest = { width: 1024, height: 700 };
const usual = { width: 1280, height: 840, isMaximized: false, isFullScreen: false };

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Where to open the window: where it was, if that is still visible on one of the screens; else without a place. */
export const restoreBounds = (saved: unknown, screens: readonly Bounds[]): WindowStart => {
  const { x, y, width, height, isMaximized, isFullScreen } = (saved ?? {}) as Partial<WindowState>;
  if (!isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) return usual;
  const start = {
    width: Math.max(smallest.width, width),
    height: Math.max(smallest.height, height),
    isMaximized: isMaximized === true,
    isFullScreen: isFullScreen === true,
  };
  const isSeen = screens.some(
    (screen) => x + 100 > screen.x && x < screen.x + screen.width - 100 && y >= screen.y - 10 && y < screen.y + screen.height - 100,
  );
  return isSeen ? { x, y, ...start } : start;
};

/** What was saved last; null when nothing readable was. */
export const readWindowState = (dataFolder: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(dataFolder, 'window.json'), 'utf8'));
  } catch {
    // The first start, or a file of another time: the window opens at its usual size.
    return null;
  }
};

/** Saves how the window is; a crash in the middle leaves what was saved before. */
export const saveWindowState = (dataFolder: string, state: WindowState): void => {
  const file = join(dataFolder, 'window.json');
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** What is used of Electron's BrowserWindow. */
export interface StatefulWindow {
  isDestroyed: () => boolean;
  getNormalBounds: () => Bounds;
  isMaximized: () => boolean;
  isFullScreen: () => boolean;
  on: ((event: 'resize', hear: () => void) => unknown) &
    ((event: 'move', hear: () => void) => unknown) &
    ((event: 'close', hear: () => void) => unknown);
}

const settledMs = 500;

/** Saves the state of a window whenever it has come to rest, and when it closes: an app that is ended closes no window. */
export const keepWindowState = (window: StatefulWindow, save: (state: WindowState) => void): void => {
  let timer: NodeJS.Timeout | undefined;
  const saveNow = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed()) return;
    save({ ...window.getNormalBounds(), isMaximized: window.isMaximized(), isFullScreen: window.isFullScreen() });
  };
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(saveNow, settledMs);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('close', saveNow);
};
