// What a gate tells of itself when it starts, and one that tells half of it, too much, or hangs.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listenForTest } from '../../sandbox-engine/gate/told-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandlot-told-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tell = (text: string): Socket => {
  const socket = connect(join(folder, 'test.sock')).on('error', () => undefined);
  socket.write(text);
  return socket;
};

test('what was told is answered when the gate has ended it', async () => {
  const told = await listenForTest(folder);
  tell('route\tok\tfine\n').end();
  expect(await told.within(5_000)).toBe('route\tok\tfine\n');
  await told.close();
});

test('who says too much is let go', async () => {
  const told = await listenForTest(folder);
  tell('x'.repeat(100_000));
  expect(((await told.within(5_000)) ?? '').length).toBeGreaterThan(16_384);
  await told.close();
});

test('a gate that hangs in the middle is waited for only so long, and is let go', async () => {
  const told = await listenForTest(folder);
  const socket = tell('route\tok');
  expect(await told.within(100)).toBe(null);
  const ended = new Promise((resolve) => socket.on('close', resolve));
  await told.close();
  await ended;
});
