import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StreamStore } from '../../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';

let folder: string;
let store: StreamStore;
let grown: Parameters<Parameters<typeof createStreamStore>[0]['onGrew']>[0][];
const open = (maxLagBytes?: number) =>
  createStreamStore({ folder, onGrew: (growth) => grown.push(growth), ...(maxLagBytes === undefined ? {} : { maxLagBytes }) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-streams-'));
  grown = [];
  store = open();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const head = { keep: 'head', maxBytes: 10 } as const;
const tail = { keep: 'tail', maxBytes: 262_144 } as const;

test('a head stream keeps its first bytes and drops the rest', async () => {
  const writer = await store.create('str_a', head);
  await writer.append(Buffer.from('123456'));
  await writer.append(Buffer.from('789012345'));
  expect(await store.read('str_a', 0, 100)).toEqual({
    bytes: Buffer.from('1234567890'),
    from: 0,
    next: 10,
    start: 0,
    size: 10,
    ended: false,
  });
});

test('a tail stream stays within its size and one segment, and its offsets stay true', async () => {
  const writer = await store.create('str_a', tail);
  for (let index = 0; index < 200; index += 1) await writer.append(Buffer.alloc(10_000, index % 251));
  await writer.end();
  const files = await readdir(join(folder, 'str_a'));
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, 'str_a', name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(262_144 + 65_536);
  const slice = await store.read('str_a', 0, 1_000);
  expect([slice.size, slice.from, slice.ended]).toEqual([2_000_000, slice.start, true]);
  expect(slice.bytes[0]).toBe(Math.floor(slice.from / 10_000) % 251);
});

test('the first small piece is told at once with its bytes, a burst after it at most every 16 ms', async () => {
  const writer = await store.create('str_a', tail);
  void writer.append(Buffer.from('k'));
  expect(grown).toEqual([{ streamId: 'str_a', size: 1, ended: false, from: 0, chunk: Buffer.from('k') }]);
  const began = performance.now();
  for (let index = 0; index < 5_000; index += 1) await writer.append(Buffer.from('x'));
  // A timer may fire a millisecond or two early.
  expect(grown.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 14);
  await writer.end();
  expect(grown.at(-1)).toMatchObject({ size: 5_001, ended: true });
});

test('a writer waits for a reader that watches and lags, and never for nobody', async () => {
  store = open(1_000);
  const writer = await store.create('str_a', tail);
  for (let index = 0; index < 10; index += 1) await writer.append(Buffer.alloc(1_000));
  await store.read('str_a', 0, 10_000);
  let hasGoneOn = false;
  await writer.append(Buffer.alloc(900));
  const waiting = writer.append(Buffer.alloc(900)).then(() => {
    hasGoneOn = true;
  });
  await store.waitForGrowth('str_a', 11_800, 50);
  expect(hasGoneOn).toBe(false);
  await store.read('str_a', 10_000, 10_000);
  await waiting;
});

test('waiting ends with growth, with the end, or with the time', async () => {
  const writer = await store.create('str_a', tail);
  const grew = store.waitForGrowth('str_a', 0, 60_000);
  await writer.append(Buffer.from('x'));
  await grew;
  const ended = store.waitForGrowth('str_a', 1, 60_000);
  await writer.end();
  await ended;
  await store.waitForGrowth('str_a', 1, 60_000);
});

test('what was acknowledged is there after the writing process was killed', async () => {
  const script = `
    import { createStreamStore } from ${JSON.stringify(join(process.cwd(), 'sandbox-engine/stream/stream-store.ts'))};
    const store = createStreamStore({ folder: ${JSON.stringify(folder)}, onGrew: () => undefined });
    const writer = await store.create('str_k', { keep: 'tail', maxBytes: 1e6 });
    for (let n = 0; n < 100; n += 1) await writer.append(Buffer.from('line ' + n + '\\n'));
    process.stdout.write('done');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect((await store.read('str_k', 0, 10_000)).bytes.toString()).toMatch(/^line 0\n[\s\S]*line 99\n$/);
  const writer = await store.reopen('str_k', tail);
  await writer.append(Buffer.from('note'));
  await writer.end();
  expect((await store.read('str_k', 790, 100)).bytes.toString()).toBe('note');
});

test('a full disk is refused with what to do, and does not become full memory', async () => {
  await mkdir(join(folder, 'str_f'));
  await symlink('/dev/full', join(folder, 'str_f', '0000000000000000.bytes'));
  const writer = await store.reopen('str_f', tail);
  await expect(writer.append(Buffer.from('x'))).rejects.toMatchObject({
    code: 'disk_full',
    nextAction: expect.stringContaining('Free some space'),
  });
  for (let index = 0; index < 5; index += 1)
    await expect(writer.append(Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'disk_full' });
  expect(writer.size()).toBeLessThan(3_000_000);
  await writer.end().catch(() => undefined);
});

test('a name that leads out of the folder is no stream', async () => {
  await expect(store.read('../x', 0, 1)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.create('str_a', tail).then(() => store.create('str_a', tail))).rejects.toMatchObject({ code: 'already_exists' });
});
