import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createLineLog } from '../../../sandbox-engine/stream/line-log.ts';
import { readLinePage } from '../../../sandbox-engine/stream/line-page.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import type { StreamStore } from '../../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';

let folder: string;
let store: StreamStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-lines-'));
  store = createStreamStore({ folder, onGrew: () => undefined });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const openLog = (secrets: string[] = [], maxBytes?: number) =>
  createLineLog({
    ...{ store, id: 'str_log', clock: systemClock, redactor: createRedactor(secrets.map((value) => ({ name: 'S', value }))) },
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
const page = (after = 0, limit = 2_000) => readLinePage(store, 'str_log', { after, limit });
const texts = async () => (await page()).lines.map(({ stream, text }) => `${stream}: ${text}`);

test('L-02: a character over two frames is whole, with another stream between, and stray bytes break nothing', async () => {
  const log = await openLog();
  await log.append('stdout', Buffer.from('6f6b20e29c', 'hex'));
  await log.append('stderr', Buffer.from('warn\n'));
  await log.append('stdout', Buffer.from('9320646f6e650afffe0a', 'hex'));
  await log.end();
  expect(await texts()).toEqual(['stderr: warn', 'stdout: ok ✓ done', 'stdout: \ufffd\ufffd']);
});

test.each([[1], [7], [100_000_000]])('L-03: a line redrawn 20000 times is stored in its last state, in pieces of %i', async (piece) => {
  const count = piece === 1 ? 500 : 20_000;
  const all = Buffer.from(`${Array.from({ length: count }, (_, n) => `Get ${n + 1}\r`).join('')}\n\u001b[32mok\u001b[0m\nplain\r\n`);
  const log = await openLog();
  for (let at = 0; at < all.length; at += piece) void log.append('stdout', all.subarray(at, at + piece));
  await log.end();
  expect(await texts()).toEqual([`stdout: Get ${count}`, 'stdout: \u001b[32mok\u001b[0m', 'stdout: plain']);
  expect((await store.read('str_log', 0, 1)).size).toBeLessThan(1_024);
});

test.each([
  ['all at once', 100_000_000, undefined],
  ['in pieces of 5 bytes', 5, undefined],
  ['all at once, beyond what is kept', 100_000_000, 16_384 + 41],
  ['in pieces of 5 bytes, beyond what is kept', 5, 16_384 + 41],
])('lines that come %s are stored the same', async (_how, piece, maxBytes) => {
  const long = 'y'.repeat(65_536);
  const all = Buffer.from(
    `one\n\nzw\u00f6lf \u2713\n${maxBytes === undefined ? `${long}\n` : ''}drawn\rdrawn over\nand then\nthe last, without an end`,
  );
  const log = await openLog([], maxBytes);
  for (let at = 0; at < all.length; at += piece) await log.append('stdout', all.subarray(at, at + piece));
  await log.end();
  const kept = ['stdout: one', 'stdout: ', 'stdout: zw\u00f6lf \u2713'];
  const rest = ['stdout: drawn over', 'stdout: and then', 'stdout: the last, without an end'];
  const cut = [...rest.slice(0, 2), 'stdout: the '];
  if (maxBytes === undefined) expect(await texts()).toEqual([...kept, `stdout: ${long}`, 'stdout: ', ...rest]);
  else expect((await texts()).slice(0, -1)).toEqual([...kept, ...cut]);
});

test('C-01: a secret cut between two appends is in no line, and a marker is masked too', async () => {
  const log = await openLog(['tok_4f9a2c7d1e']);
  await log.mark(3, 'echo tok_4f9a2c7d1e');
  await log.append('stdout', Buffer.from('tok_4f9a'));
  await log.append('stdout', Buffer.from('2c7d1e\ntok_4f9a\n'));
  await log.end();
  expect(await texts()).toEqual(['marker: echo ***', 'stdout: ***', 'stdout: tok_4f9a']);
});

test('a line without an end shows within two seconds, NUL bytes and all', async () => {
  const log = await openLog();
  await log.append('stdout', Buffer.from('Continue\0? '));
  await expect.poll(texts, { timeout: 2_000 }).toEqual(['stdout: Continue\0? ']);
  await log.end();
  expect(log.count()).toBe(1);
});

test('L-04: numbers, then one line of 8 MiB: the head is kept, markers and notes go on, pages join without a gap', async () => {
  const log = await openLog();
  await log.append('stdout', Buffer.from(Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`).join('')));
  for (let index = 0; index < 128; index += 1) await log.append('stdout', Buffer.alloc(65_536, 'x'));
  await log.append('stdout', Buffer.from('\nend\n'));
  await log.mark(9, 'echo end');
  await log.end();
  await store.close();
  store = createStreamStore({ folder, onGrew: () => undefined });

  let stored = 0;
  const seqs: number[] = [];
  const began = performance.now();
  let last = await page();
  for (; last.lines.length > 0; last = await page(last.nextAfter)) {
    stored += last.lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
    for (const { seq } of last.lines) seqs.push(seq);
  }
  expect(seqs.length / ((performance.now() - began) / 1_000)).toBeGreaterThan(20_000);
  expect(seqs.every((seq, index) => seq === index + 1)).toBe(true);
  expect(stored).toBeLessThanOrEqual(4_194_304);
  expect(last.truncated).toBe(true);
  expect((await page(0, 3)).lines.map(({ text }) => text)).toEqual(['1', '2', '3']);
  expect((await page(99_999, 1)).lines[0]?.text).toBe('100000');
  expect((await page(seqs.length - 1, 1)).lines[0]).toMatchObject({ stream: 'marker', line: 9, text: 'echo end' });
  expect(await page(50_000, 500)).toEqual(await page(50_000, 500));
});
