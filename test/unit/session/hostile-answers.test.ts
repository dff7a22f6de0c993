// A sandbox puts programs of its own in the place of those that Sandlot asks: answers without end, and none at all.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import type { ContainerRuntime, ExecHandle, OutputChunk } from '../../../sandbox-engine/container/container-runtime.ts';
import { readExec } from '../../../sandbox-engine/container/read-exec.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { listArtifacts, listFolder } from '../../../sandbox-engine/session/files.ts';
import { endMarked, runInside } from '../../../sandbox-engine/session/run-inside.ts';
import { createScreens } from '../../../sandbox-engine/session/screens.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { findShell } from '../../../sandbox-engine/session/shell-holder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const chunk = Buffer.alloc(65_536, 'x');

/** A runtime whose commands answer these texts in turn: `endless` never stops, `mute` says nothing and never ends, `held` has ended but left
 *  something running that holds its output. */
const hostileRuntime = (answers: ('endless' | 'mute' | 'held' | string)[]) => {
  const told = { chunks: 0 };
  async function* endless(): AsyncGenerator<OutputChunk> {
    for (let count = 0; count < 4_000; count += 1) {
      told.chunks += 1;
      yield { stream: 'stdout', bytes: chunk };
    }
  }
  const exec = async (): Promise<ExecHandle> => {
    const answer = answers.shift() ?? 'mute';
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    async function* output(): AsyncGenerator<OutputChunk> {
      if (answer === 'endless') return yield* endless();
      if (answer !== 'mute') yield { stream: 'stdout', bytes: Buffer.from(answer) };
      if (answer === 'mute' || answer === 'held') await closed;
    }
    const exitCode = (): Promise<number | null> => (answer === 'mute' ? new Promise(() => undefined) : Promise.resolve(0));
    return { output: output(), exitCode, close: () => close() } as unknown as ExecHandle;
  };
  return { told, runtime: { exec } as unknown as ContainerRuntime };
};

const session = { status: 'running', container_id: 'c', runtime: 'docker' } as Session;
const depsOf = (runtime: ContainerRuntime) => ({ runtimeOf: () => runtime }) as unknown as SessionDeps;

test('a shell that is looked for and never answers is gone', async () => {
  const found = findShell(depsOf(hostileRuntime(['mute']).runtime), session, 'trm_1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await found).toBe('gone');
});

test('of what an ended shell has left no more is read than a terminal keeps', async () => {
  const { runtime, told } = hostileRuntime(['code 0\nkept\n', 'endless']);
  const found = await findShell(depsOf(runtime), session, 'trm_1');
  expect(found).toEqual({ exitCode: 0, kept: { dropped: 0, bytes: expect.objectContaining({ length: 8_388_608 }) } });
  expect(told.chunks).toBe(128);
});

test('an ended shell whose output never comes has left none', async () => {
  const found = findShell(depsOf(hostileRuntime(['code 3\nkept\n', 'mute']).runtime), session, 'trm_1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await found).toEqual({ exitCode: 3, kept: null });
});

test('what ends the processes of a terminal is not waited for without end', async () => {
  const ended = endMarked(hostileRuntime(['mute']).runtime, 'c', 'A=b');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await ended).toBeUndefined();
});

test('a command that has ended is not waited for longer because something that it left running holds its output', async () => {
  const ran = runInside(hostileRuntime(['held']).runtime, 'c', { command: ['x'] });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await ran).toEqual({ exitCode: 0, output: 'held' });
});

test('a command that is asked a question keeps a mebibyte of its answer', async () => {
  const answer = await readExec(hostileRuntime(['endless']).runtime, 'c', { command: ['x'], stdin: false });
  expect(answer.length).toBe(1_048_576);
});

test('a listing is cut at what was asked for, however much is answered', async () => {
  const records = `6000\0${['f', '1', '0', '0644', '', '', 'x'].join('\0')}${`\0${['f', '1', '0', '0644', '', '', 'x'].join('\0')}`.repeat(5_999)}\0`;
  const place = { runtime: hostileRuntime([records, records]).runtime, containerId: 'c' };
  const [folder, artifacts] = [await listFolder(place, '/workspace'), await listArtifacts(place)];
  expect([folder.entries.length, folder.total]).toEqual([5_000, 6_000]);
  expect([artifacts.artifacts.length, artifacts.total]).toEqual([1_000, 6_000]);
});

test('a screen that says everything in single bytes waits for its viewer after some of them', async () => {
  const said = { take: (_bytes: Buffer): Promise<void> | undefined => undefined };
  const relay = {
    each: (take: typeof said.take) => {
      said.take = take;
      return new Promise(() => undefined);
    },
    type: async () => undefined,
    stdin: { end: () => undefined },
    close: () => undefined,
  } as unknown as ExecHandle;
  const started = hostileRuntime(['']).runtime;
  const handles = [() => started.exec('c', {} as never), async () => relay];
  const runtime = { exec: () => handles.shift()?.() } as unknown as ContainerRuntime;
  const screens = createScreens({ ...depsOf(runtime), clock: systemClock, newId: () => 'scr_1' } as unknown as SessionDeps);
  const opening = screens.open({ ...session, computer_use: true });
  await vi.waitFor(() => expect(said.take(Buffer.from('+'))).toBeInstanceOf(Promise));
  const id = await opening;
  let held: Promise<void> | undefined;
  let count = 0;
  for (; held === undefined && count < 100_000; count += 1) held = said.take(Buffer.from('x'));
  expect(count).toBe(1_025);
  expect((await screens.read(id, { waitMs: 0, maxBytes: 262_144 })).bytes.length).toBe(1_025);
  expect(await held).toBeUndefined();
  screens.disconnect();
});
