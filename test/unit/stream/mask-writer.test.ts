import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRedactor, type Redactor } from '../../../sandbox-engine/stream/redact.ts';
import type { StreamStore, StreamWriter } from '../../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';

const secret = 'tok_4f9a2c7d1e';
const tail = { keep: 'tail', maxBytes: 1_000_000 } as const;

let folder: string;
let redactor: Redactor;
let store: StreamStore;
let writer: StreamWriter;
let told: string;
const openStore = () =>
  createStreamStore({
    folder,
    redactor,
    onGrew: ({ chunk }) => {
      told += chunk?.toString() ?? '';
    },
  });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-mask-'));
  redactor = createRedactor([{ name: 'TOKEN', value: secret }]);
  told = '';
  store = openStore();
  writer = await store.create('str_a', tail);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const stored = async () => (await store.read('str_a', 0, 1_000_000)).bytes.toString();
const type = async (text: string) => {
  for (const key of text) await writer.append(Buffer.from(key));
};

test('a secret in two pieces is neither kept nor told', async () => {
  await writer.append(Buffer.from(`a ${secret.slice(0, 6)}`));
  await writer.append(Buffer.from(`${secret.slice(6)} b\n`));
  await writer.end();
  expect([await stored(), told]).toEqual(['a *** b\n', 'a *** b\n']);
});

test('C-01: its harmless half alone shows, at most two seconds late', async () => {
  const since = performance.now();
  await writer.append(Buffer.from('tok_4f9a'));
  await expect.poll(stored, { timeout: 5_000 }).toBe('tok_4f9a');
  expect(performance.now() - since).toBeLessThan(2_000);
});

test('what waited too long is not completed by what comes then', async () => {
  await writer.append(Buffer.from('tok_4f9a'));
  await expect.poll(stored, { timeout: 5_000 }).toBe('tok_4f9a');
  await writer.append(Buffer.from('2c7d1e\n'));
  await writer.end();
  expect(await stored()).toBe('tok_4f9a***\n');
});

test('a letter that a secret begins with is echoed within a blink', async () => {
  const since = performance.now();
  await type('t');
  await expect.poll(stored, { interval: 1 }).toBe('t');
  expect(performance.now() - since).toBeLessThan(200);
});

test('a secret typed letter by letter does not show', async () => {
  await type(`${secret} x`);
  await writer.end();
  expect(await stored()).toBe('*** x');
});

test('a value that is set while the stream is open is masked in it', async () => {
  await writer.append(Buffer.from('hunter22 '));
  redactor.set([{ name: 'NEW', value: 'hunter22' }]);
  await writer.append(Buffer.from('hunter22\n'));
  await writer.end();
  expect(await stored()).toBe('hunter22 ***\n');
});

test('a store that closes keeps what was held back, and the next host masks on', async () => {
  await writer.append(Buffer.from('tok_4f9a'));
  await store.close();
  store = openStore();
  writer = await store.reopen('str_a', tail);
  await writer.append(Buffer.from(`${secret}\n`));
  await writer.end();
  expect(await stored()).toBe('tok_4f9a***\n');
});

test('bytes that are plain already are kept as they are', async () => {
  const plain = await store.create('str_b', { ...tail, plain: true });
  await plain.append(Buffer.from(secret));
  await plain.end();
  expect((await store.read('str_b', 0, 100)).bytes.toString()).toBe(secret);
});
