import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { describeTape, readFrames } from '../../../sandbox-engine/session/tape-reader.ts';
import { createTapeRecorder, type TapeRecorder } from '../../../sandbox-engine/session/tape-recorder.ts';
import type { StreamStore, StreamWriter } from '../../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';

let folder: string;
let streams: StreamStore;
let recorder: TapeRecorder;
let nowMs = 1_796_032_800_000;
const clock = { now: () => nowMs, iso: () => new Date(nowMs).toISOString(), monotonic: () => nowMs };

const aTerminal = (number: number, over: Partial<Terminal> = {}): Terminal => ({
  ...{ id: `trm_01k000000000000000000000${number}0`, session_id: 'ses_01k00000000000000000000000', title: 'bash', status: 'running' },
  ...{ exit_code: null, cols: 80, rows: 24, stream_id: `str_01k000000000000000000000${number}0`, created_at: clock.iso(), ended_at: null },
  ...over,
});
const print = async (writer: StreamWriter, text: string, afterMs: number): Promise<void> => {
  nowMs += afterMs;
  await writer.append(Buffer.from(text));
  recorder.grew(writer.id, writer.size());
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-tape-'));
  streams = createStreamStore({ folder, onGrew: () => undefined });
  recorder = createTapeRecorder(streams, clock);
});
afterAll(async () => {
  await streams.close();
  await rm(folder, { recursive: true, force: true });
});

test('what is printed is played at its time and in its size, also after another host took it up', async () => {
  const terminal = aTerminal(1);
  const writer = await streams.create(terminal.stream_id, { keep: 'tail', maxBytes: 8_388_608 });
  recorder.terminal(terminal);
  await print(writer, 'one ', 1_000);
  await print(writer, 'and ', 10);
  await print(writer, 'two ', 100);
  nowMs += 500;
  recorder.terminal({ ...terminal, cols: 100, rows: 30 });
  await recorder.settled();
  recorder = createTapeRecorder(streams, clock);
  recorder.begin({ ...terminal, cols: 100, rows: 30 }, writer.size());
  await print(writer, 'three', 1_000);
  recorder.terminal({ ...terminal, cols: 100, rows: 30, status: 'exited' });
  await recorder.settled();
  expect(await readFrames(streams, terminal, undefined)).toEqual({
    frames: [
      { at_ms: 1_000, kind: 'output', text: 'one and ' },
      { at_ms: 1_110, kind: 'output', text: 'two ' },
      { at_ms: 1_610, kind: 'size', cols: 100, rows: 30 },
      { at_ms: 2_610, kind: 'output', text: 'three' },
    ],
    nextCursor: null,
  });
  expect(await describeTape(streams, terminal)).toMatchObject({ size: 17, cols: 80, rows: 24, is_cut: false });
});

test('the tape goes with its stream, and what comes late is not written after the session is gone', async () => {
  const terminal = aTerminal(2);
  const writer = await streams.create(terminal.stream_id, { keep: 'tail', maxBytes: 8_388_608 });
  recorder.terminal(terminal);
  await print(writer, 'gone', 10);
  recorder.forget(terminal.session_id);
  await streams.remove(terminal.stream_id);
  await recorder.settled();
  expect(await describeTape(streams, terminal)).toBeNull();
  expect(await streams.list()).not.toContain(terminal.stream_id);
});

test('a terminal from before there were tapes has one moment', async () => {
  const terminal = aTerminal(3);
  await (await streams.create(terminal.stream_id, { keep: 'tail', maxBytes: 8_388_608 })).append(Buffer.from('old'));
  expect((await readFrames(streams, terminal, undefined)).frames).toEqual([{ at_ms: 0, kind: 'output', text: 'old' }]);
});
