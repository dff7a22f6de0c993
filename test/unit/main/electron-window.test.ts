// What the window of the desktop app may do, and where it opens. What is passed in is what the code uses of Electron.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guardPermissions, mayHave, type PermissionSession } from '../../../main/electron/permissions.ts';
import {
  keepWindowState,
  readWindowState,
  restoreBounds,
  type StatefulWindow,
  saveWindowState,
} from '../../../main/electron/window-state.ts';

describe('permissions', () => {
  test.each<[string, string, boolean, boolean]>([
    ['clipboard-sanitized-write', 'app://sandlot/', true, true],
    ['clipboard-read', 'app://sandlot/', true, true],
    ['fullscreen', 'app://sandlot/#/sessions', true, true],
    ['clipboard-read', 'app://sandlot/', false, false],
    ['clipboard-read', 'https://evil.example/', true, false],
    ['clipboard-read', '', true, false],
    ...['media', 'geolocation', 'notifications', 'midi', 'openExternal', 'hid', 'serial', 'usb', 'display-capture', 'unknown', ''].map(
      (permission) => [permission, 'app://sandlot/', true, false] as [string, string, boolean, boolean],
    ),
  ])('"%s" for %s, in the main frame: %s, is given: %s', (permission, url, isMainFrame, isGiven) => {
    expect(mayHave(permission, url, isMainFrame)).toBe(isGiven);
  });

  test('wishes, silent checks and devices go by the same rules', () => {
    const answers: unknown[] = [];
    const handed: PermissionSession = {
      setPermissionRequestHandler: (decide) => {
        const ours = { requestingUrl: 'app://sandlot/', isMainFrame: true };
        decide(null, 'media', (isGiven) => answers.push(isGiven), ours);
        decide(null, 'clipboard-read', (isGiven) => answers.push(isGiven), ours);
      },
      setPermissionCheckHandler: (decide) => {
        answers.push(decide(null, 'geolocation', 'app://sandlot/', { isMainFrame: true }));
        answers.push(decide(null, 'fullscreen', 'app://sandlot/', { isMainFrame: true }));
      },
      setDevicePermissionHandler: (decide) => answers.push(decide()),
    };
    guardPermissions(handed);
    expect(answers).toEqual([false, true, false, true, false]);
  });
});

const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
test.each<[string, unknown, object]>([
  ['where it was', { x: 10, y: 20, width: 1300, height: 900 }, { x: 10, y: 20, width: 1300, height: 900 }],
  [
    'filling the screen, and where it is when it does not',
    { x: 10, y: 20, width: 1300, height: 900, isMaximized: true },
    { x: 10, y: 20, width: 1300, height: 900, isMaximized: true },
  ],
  ['on a screen that is gone', { x: 5000, y: 20, width: 1300, height: 900 }, { width: 1300, height: 900 }],
  ['too small', { x: 10, y: 20, width: 1, height: 1 }, { x: 10, y: 20, width: 1024, height: 700 }],
  ['nothing saved', null, { width: 1280, height: 840 }],
  ['half of it', { x: 1 }, { width: 1280, height: 840 }],
  ['text for numbers', { x: '1', y: 1, width: 1, height: 1 }, { width: 1280, height: 840 }],
])('the window opens: %s', (_case, saved, bounds) => {
  expect(restoreBounds(saved, screens)).toEqual({ isMaximized: false, isFullScreen: false, ...bounds });
});

describe('how the window was', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'sandlot-window-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const state = { x: 1, y: 2, width: 1300, height: 900, isMaximized: true, isFullScreen: false };

  test('is read as it was saved', () => {
    const path = folder();
    saveWindowState(path, state);
    expect(readWindowState(path)).toEqual(state);
  });

  test('a file cut short, or none, is nothing', () => {
    const path = folder();
    const without = readWindowState(path);
    writeFileSync(join(path, 'window.json'), '{"x":1,"y');
    expect([without, readWindowState(path)]).toEqual([null, null]);
  });

  test('is saved when it has come to rest and when it closes, and not of a window that is gone', async () => {
    const heard: Record<string, () => void> = {};
    const saved: unknown[] = [];
    let tell: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let isDestroyed = false;
    const { isMaximized, isFullScreen, ...bounds } = state;
    const window: StatefulWindow = {
      isDestroyed: () => isDestroyed,
      getNormalBounds: () => bounds,
      isMaximized: () => isMaximized,
      isFullScreen: () => isFullScreen,
      on: (event: string, hear: () => void) => (heard[event] = hear),
    };
    keepWindowState(window, (now) => {
      saved.push(now);
      tell();
    });
    for (let step = 0; step < 20; step += 1) heard['resize']?.();
    expect(saved).toEqual([]);
    await rest;
    heard['close']?.();
    isDestroyed = true;
    heard['close']?.();
    expect(saved).toEqual([state, state]);
  });
});
