import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, open, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { openDatabase } from '../../../sandbox-engine/registry/database.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { exampleEnvironment } from './example-environment.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const every = { limit: 100, includeArchived: true };

/** A folder whose registry holds 50 environments and has one backup of all of them. */
const filledFolder = async (): Promise<string> => {
  const folder = await temporaryFolder();
  const registry = await openHere(folder);
  for (let number = 0; number < 50; number += 1)
    await registry.environments.insert(exampleEnvironment(number, { description: 'x'.repeat(2000) }));
  await registry.close();
  await (await openHere(folder)).close();
  return folder;
};

const overwriteHead = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(100, 0x41), 0, 100, 0);
  await handle.close();
};

/** Leaves the -wal file of another registry beside this one. */
const plantForeignWal = async (file: string): Promise<void> => {
  const other = await temporaryFolder();
  const registry = await openHere(other);
  for (let number = 0; number < 5; number += 1) await registry.environments.insert(exampleEnvironment(number));
  await copyFile(join(other, 'registry.db-wal'), `${file}-wal`);
};

test.each([
  ['its first 100 bytes are overwritten', overwriteHead],
  ['it is cut to half', async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ['it is emptied', (file: string) => truncate(file, 0)],
  ['the -wal file of another registry lies beside it', plantForeignWal],
])('a registry opens although %s; the damage is kept aside and a backup brings all back', async (_name, damage) => {
  const folder = await filledFolder();
  const file = join(folder, 'registry.db');
  await damage(file);
  const bytes = await readFile(file);
  const registry = await openHere(folder);
  const state = registry.state();
  expect(state.status).toBe('damaged');
  expect(state.message).toContain(state.kept_aside);
  expect(state.message).toContain('Restore a backup');
  expect((await readFile(state.kept_aside ?? '')).equals(bytes)).toBe(true);
  expect((await registry.environments.list(every)).total).toBe(0);
  expect(state.backups.length).toBeGreaterThan(0);
  await registry.close();
  const again = await openHere(folder);
  expect(again.state()).toEqual(state);
  const restored = await again.restore(state.backups[0]?.path ?? '');
  expect(restored.status).toBe('recovered');
  expect((await again.environments.list(every)).total).toBe(50);
  expect(await readdir(join(folder, 'kept-aside'))).toContain(restored.kept_aside?.split('/').at(-1));
  await again.close();
  expect((await openHere(folder)).state().status).toBe('ok');
});

test('a damaged registry of the first day has no backup, and does not say that one could be restored', async () => {
  const folder = await temporaryFolder();
  await (await openHere(folder)).close();
  await overwriteHead(join(folder, 'registry.db'));
  const { message, backups } = (await openHere(folder)).state();
  expect([backups, message]).toEqual([[], expect.stringMatching(/an empty one was begun\. There is no backup to restore\.$/)]);
});

test('only the owner can read the registry, what lies beside it and its backups, also where it was otherwise', async () => {
  const folder = await filledFolder();
  const backup = join(folder, 'backups', (await readdir(join(folder, 'backups')))[0] ?? '');
  await chmod(join(folder, 'registry.db'), 0o644);
  await openHere(folder);
  const files = ['registry.db', 'registry.db-wal', 'registry.db-shm'].map((name) => join(folder, name));
  expect(await Promise.all([...files, backup].map(async (file) => (await stat(file)).mode & 0o777))).toEqual([0o600, 0o600, 0o600, 0o600]);
});

test('a broken backup is refused and changes nothing', async () => {
  const folder = await filledFolder();
  const registry = await openHere(folder);
  const backup = registry.state().backups[0]?.path ?? '';
  await overwriteHead(backup);
  await expect(registry.restore(backup)).rejects.toMatchObject({ code: 'registry_damaged' });
  await expect(registry.restore(join(folder, 'none.db'))).rejects.toMatchObject({ code: 'not_found' });
  expect((await registry.environments.list(every)).total).toBe(50);
});

const isRoot = process.geteuid?.() === 0;

test('a folder that cannot be written opens for reading, and that is no damage', async () => {
  const folder = await filledFolder();
  if (isRoot) process.seteuid?.(65534);
  await (isRoot ? chmodAsRoot(folder) : chmod(folder, 0o555));
  onTestFinished(async () => {
    if (isRoot) process.seteuid?.(0);
    await chmod(folder, 0o755);
  });
  const registry = await openHere(folder);
  expect(registry.state()).toMatchObject({ status: 'read_only', kept_aside: null });
  expect((await registry.environments.list(every)).total).toBe(50);
  await expect(registry.environments.insert(exampleEnvironment(99))).rejects.toMatchObject({ code: 'registry_read_only' });
  await expect(registry.saveSetting('a', 'b')).rejects.toMatchObject({ code: 'registry_read_only' });
  await registry.close();
});

const chmodAsRoot = async (folder: string): Promise<void> => {
  process.seteuid?.(0);
  await chmod(folder, 0o755);
  await chmod(join(folder, 'registry.db'), 0o644);
  process.seteuid?.(65534);
};

test('a registry of a later Sandlot is refused and left as it is', async () => {
  const folder = await filledFolder();
  const database = await openDatabase(join(folder, 'registry.db'));
  await database.exec('PRAGMA user_version = 99');
  await database.close();
  await expect(openRegistry({ folder, clock: systemClock })).rejects.toMatchObject({ code: 'registry_too_new' });
  expect(await readdir(folder)).not.toContain('kept-aside');
});

test('five backups are kept, one a day', async () => {
  const folder = await filledFolder();
  for (let day = 1; day <= 7; day += 1) {
    const now = systemClock.now() + day * 25 * 60 * 60 * 1000;
    const clock = { ...systemClock, now: () => now, iso: () => new Date(now).toISOString() };
    await (await openHere(folder, clock)).close();
    await (await openHere(folder, clock)).close();
  }
  expect((await readdir(join(folder, 'backups'))).length).toBe(5);
});

const holdLock = async (folder: string) => {
  const other = await openDatabase(join(folder, 'registry.db'));
  await other.exec('BEGIN EXCLUSIVE');
  return async () => {
    await other.exec('ROLLBACK');
    await other.close();
  };
};

test('a lock of 2 seconds is waited for, and reading goes on meanwhile', async () => {
  const folder = await temporaryFolder();
  const registry = await openHere(folder);
  const release = await holdLock(folder);
  const saved = registry.environments.insert(exampleEnvironment(1));
  expect((await registry.environments.list(every)).total).toBe(0);
  const timer = setTimeout(() => void release(), 2000);
  onTestFinished(() => clearTimeout(timer));
  expect((await saved).name).toBe('Example 1');
});

test('a lock that stays is told within 10 seconds to all who wait, and saving works again afterwards', async () => {
  const folder = await temporaryFolder();
  const registry = await openHere(folder);
  const release = await holdLock(folder);
  const startedAt = performance.now();
  const tries = await Promise.allSettled([1, 2, 3].map((number) => registry.environments.insert(exampleEnvironment(number))));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  for (const each of tries) {
    expect(each).toMatchObject({
      status: 'rejected',
      reason: { code: 'registry_locked', message: expect.stringContaining('Close the other program') },
    });
  }
  await release();
  await registry.environments.insert(exampleEnvironment(1));
  expect((await registry.environments.list(every)).total).toBe(1);
});

test('a process killed in mid-write loses nothing that it was told is saved', async () => {
  const folder = await temporaryFolder();
  const writer = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('writer-process.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void writer.kill('SIGKILL'));
  const saved: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    saved.push(line);
    if (saved.length === 200) writer.kill('SIGKILL');
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  const registry = await openHere(folder);
  expect(registry.state().status).toBe('ok');
  const found = await Promise.all(saved.map((id) => registry.environments.find(id)));
  expect(found.filter((each) => each === null)).toEqual([]);
  expect(saved.length).toBeGreaterThanOrEqual(200);
});
