// The real desktop app, where an Electron binary is; says aloud when there is none.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/** The binary that Electron's own package would start; null when it was never fetched. */
const electronBinary = (): string | null => {
  const path = join(folder, 'path.txt');
  const binary = existsSync(path) ? join(folder, 'dist', readFileSync(path, 'utf8').trim()) : null;
  return binary !== null && existsSync(binary) ? binary : null;
};

const missing = [
  electronBinary() === null && 'the Electron binary was never fetched',
  !existsSync(join(root, 'dist/app/electron.js')) && 'dist/app/electron.js is not built',
  process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'] && 'there is no display',
].filter((reason) => typeof reason === 'string');

if (missing.length > 0) process.stderr.write(`SKIPPED: the Electron test, because ${missing.join(' and ')}.\n`);

/** Runs in the page: what it can see, and what an added script and a navigation achieve. */
const probe = `(() => {
  const script = document.createElement('script');
  script.textContent = 'globalThis.injected = true';
  document.head.append(script);
  location.href = 'https://example.com';
  return [typeof require, typeof process, Object.keys(sandlot).sort(), typeof injected];
})()`;

test.skipIf(missing.length > 0)(
  'the window shows our page, has a bridge of two functions and no Node, goes nowhere but where a link leads, and may ask for nothing',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'sandlot-electron-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const args = process.getuid?.() === 0 ? ['--no-sandbox', root] : [root];
    const env = { ...(process.env as Record<string, string>), SANDLOT_HOME: home };
    const app = await _electron.launch({ executablePath: electronBinary() ?? '', args, env });
    onTestFinished(async () => await app.close());
    const page = await app.firstWindow();
    await page.waitForLoadState();
    expect(await page.evaluate(probe)).toEqual(['undefined', 'undefined', ['call', 'subscribe'], 'undefined']);
    expect(page.url()).toMatch(/^app:\/\/sandlot\//);
    const place = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
    expect(await page.evaluate(place)).toBe('denied');
    // As a second start of the app tells it.
    await app.evaluate(({ app: desktop }) => desktop.emit('second-instance', {}, ['sandlot', 'sandlot://settings']));
    await expect.poll(() => page.url()).toBe('app://sandlot/#/settings');
  },
);
