// Packs the desktop app by its description around a stand-in for Electron's binary: the native modules are outside of the archive and load, and every
// fuse is as it was said. It is no check of Electron itself. Here because it takes long.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A folder as Electron comes in, whose binary holds nothing but the fuses, each as Electron's own default. */
const standIn = (folder: string): string => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '');
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'version', 'chrome-sandbox']) writeFileSync(join(folder, file), '');
  // Source: @electron/fuses: the sentinel, the version of the wire, its length, one character a fuse.
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, 8]), Buffer.from('10110001')]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('\x7fELF'), wire]), { mode: 0o755 });
  return folder;
};

const isBuilt = existsSync(join(root, 'dist/app/electron.js'));
if (!isBuilt) process.stderr.write('SKIPPED: packing the app, because dist/app/electron.js is not built.\n');

test.skipIf(process.platform !== 'linux' || !isBuilt)(
  'packed, the native modules are real files that load, the feed is named, and what could be turned against the app is off',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandlot-package-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const words = [
      `-c.electronDist=${standIn(join(folder, 'electron'))}`,
      `-c.directories.output=${join(folder, 'out')}`,
      '-c.publish.provider=generic',
      '-c.publish.url=https://updates.example/',
    ];
    execFileSync(join(root, 'node_modules/.bin/electron-builder'), ['--linux', 'dir', '--publish', 'never', ...words], { cwd: root });
    const app = join(folder, 'out/linux-unpacked');
    const binary = readFileSync(join(app, 'sandlot'));
    const wireAt = binary.indexOf(sentinel) + sentinel.length + 2;
    const unpacked = join(app, 'resources/app.asar.unpacked/node_modules');
    const koffi = join(unpacked, `@koromix/koffi-${process.platform}-${process.arch}/index.js`);
    const loaded = [require(join(unpacked, 'sqlite3/build/Release/node_sqlite3.node')).VERSION, require(koffi).version];
    // Run as Node, cookies, NODE_OPTIONS, inspector, asar integrity, only asar, own snapshot, file protocol.
    expect([
      binary.subarray(wireAt).toString(),
      loaded.map((version) => typeof version),
      existsSync(join(unpacked, 'koffi/src/koffi/src/static.js')),
      existsSync(join(unpacked, 'sqlite3/deps')),
      readFileSync(join(app, 'resources/app-update.yml'), 'utf8').includes('https://updates.example/'),
    ]).toEqual(['01001100', ['string', 'string'], true, false, true]);
  },
);
