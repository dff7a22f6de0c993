// A data folder on a disk that is full, cannot be written, or is no folder at all.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { programArgs } from '../../runtime/support/program.ts';
import { newFolder } from '../../runtime/support/real-host.ts';
import { createHere as create, hostHere } from './host-here.ts';
import { runSandlot } from './run-sandlot.ts';

const slow = { timeout: 60_000 };
const succeeds = (...words: string[]): boolean => spawnSync(words[0] ?? '', words.slice(1)).status === 0;
const sh = (...words: string[]) => expect(succeeds(...words)).toBe(true);
const mountsHere = process.geteuid?.() === 0 && succeeds('unshare', '--mount', 'true');
if (!mountsHere) process.stderr.write('no mounts can be made here: the tests of full and read-only disks are left out\n');

const smallDisk = async (): Promise<string> => {
  const mounted = await newFolder();
  sh('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mounted);
  onTestFinished(async () => {
    sh('umount', '-l', mounted);
    await rm(mounted, { recursive: true });
  });
  return mounted;
};

test.skipIf(!mountsHere)('a full disk refuses what cannot be saved, says what to do, and loses nothing that was saved', slow, async () => {
  const disk = await smallDisk();
  const folder = join(disk, 'home');
  await mkdir(folder);
  const host = await hostHere({ folder });
  const kept = await create(host, 'kept');
  await writeFile(join(disk, 'fill'), Buffer.alloc(16_000_000)).catch(() => undefined);
  const description = 'x'.repeat(1_000_000);
  const refusal = await host.refusal('environments.update', { environment_id: kept.id, patch: { description } });
  expect([refusal.code, refusal.next_action]).toEqual(['disk_full', expect.stringContaining('Free some space')]);
  expect(await host.call('environments.get', { environment_id: kept.id })).toEqual(kept);
  await host.kill();
  const { stdout } = await runSandlot(folder, ['env', 'list', '-o', 'json']);
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect([error.code, error.message]).toEqual(['disk_full', expect.stringContaining('its disk is full')]);
  await rm(join(disk, 'fill'));
  const again = await hostHere({ folder });
  const saved = await again.call('environments.update', { environment_id: kept.id, patch: { description } });
  expect([saved.name, saved.description.length]).toEqual(['kept', 1_000_000]);
});

test.skipIf(!mountsHere)('a data folder on a read-only file system is said to be that, and is left as it is', slow, async () => {
  const folder = await smallDisk();
  await chmod(folder, 0o700);
  sh('mount', '-o', 'remount,ro', folder);
  const { code, stdout } = await runSandlot(folder, ['env', 'list', '-o', 'json']);
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string; next_action: string } };
  expect([code, error.code, error.message, error.next_action]).toEqual([
    1,
    'registry_read_only',
    expect.stringContaining('its file system is read-only'),
    expect.stringContaining('SANDLOT_HOME'),
  ]);
});

test.skipIf(!mountsHere)(
  'Q-02: on a read-only file system a page opens that says so, and trying again starts once it can be written',
  slow,
  async () => {
    const folder = await smallDisk();
    await chmod(folder, 0o700);
    sh('mount', '-o', 'remount,ro', folder);
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
    const child = spawn(process.execPath, [...programArgs('headless'), '--open'], { env: { ...env, SANDLOT_HOME: folder } });
    const ended = once(child, 'close');
    let told = '';
    child.stderr.on('data', (bytes) => {
      told += String(bytes);
    });
    const links = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      const trouble = String((await links.next()).value);
      const page = await fetch(trouble);
      expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/its file system is read-only.*SANDLOT_HOME/s)]);
      expect((await fetch(new URL('/', trouble))).status).toBe(404);
      expect(await (await fetch(trouble, { method: 'POST' })).text()).toContain('Starting again');
      const still = String((await links.next()).value);
      sh('mount', '-o', 'remount,rw', folder);
      await (await fetch(still, { method: 'POST' })).text();
      expect((await links.next()).value).toMatch(/\?token=/);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(told).toMatch(/\nSandlot has ended\.\n$/);
  },
);

test('a data folder that is a file is refused with a sentence', slow, async () => {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, 'mine');
  const { code, stdout } = await runSandlot(file, ['env', 'list', '-o', 'json']);
  expect([code, (JSON.parse(stdout) as { error: { code: string } }).error.code, await readFile(file, 'utf8')]).toEqual([
    2,
    'invalid_request',
    'mine',
  ]);
});
