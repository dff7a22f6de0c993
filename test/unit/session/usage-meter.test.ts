// How often the runtime is asked for what sessions use: by a list, and by whoever looks at one of them. The clock is the test's own.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContainerRuntime } from '../../../sandbox-engine/container/container-runtime.ts';
import { newSession } from '../../../sandbox-engine/session/new-session.ts';
import { createUsageMeter } from '../../../sandbox-engine/session/usage-meter.ts';
import { anEnvironment, aPlan } from '../../runtime/support/session-house.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = { now: () => Date.now(), iso: () => new Date().toISOString(), monotonic: () => Date.now() };

const openMeter = (count: number, found: string | null = null) => {
  const asked: string[] = [];
  const told: { session_id: string; cpus: number | null; memory_bytes: number | null; workspace_bytes: number | null }[][] = [];
  const workspaces: string[] = [];
  const written: [string, number][] = [];
  const counters = { memoryBytes: 1_000, memoryLimitBytes: null, processes: 1, processLimit: null, receivedBytes: 0, sentBytes: 0 };
  const runtime = {
    kind: 'docker',
    inspectContainer: async () => null,
    info: async () => ({ cpus: 2, memoryBytes: 1, isElsewhere: false }),
    readCounters: async (id: string) => {
      asked.push(id);
      // Half a processor.
      return { ...counters, cpuNs: Date.now() * 500_000 };
    },
    exec: async (id: string) => {
      workspaces.push(id);
      if (found === null) throw new Error('not measured here');
      const output = (async function* () {
        yield { stream: 'stdout', bytes: Buffer.from(found) };
      })();
      return { output, exitCode: async () => 0, close: () => undefined };
    },
  } as unknown as ContainerRuntime;
  const sessions = Array.from({ length: count }, (_, at) => ({
    ...newSession(clock, aPlan(anEnvironment(), 'i'), `ses_${at}`),
    ...{ status: 'running' as const, container_id: `c${at}` },
  }));
  const meter = createUsageMeter({
    runtimeOf: () => runtime,
    clock,
    trafficOf: async () => null,
    tell: (samples) => void told.push(samples),
    measured: (id, bytes) => void written.push([id, bytes]),
  });
  return { meter, sessions, asked, told, workspaces, written };
};

test('a list of twenty sessions has rates after a second, asks each every ten seconds, and measures no workspace', async () => {
  const { meter, sessions, asked, told, workspaces } = openMeter(20);
  await meter.watch(sessions, true);
  await vi.advanceTimersByTimeAsync(1_000);
  const newest = new Map(told.flat().map((sample) => [sample.session_id, [sample.cpus, sample.memory_bytes]]));
  expect([...newest.values()]).toEqual(sessions.map(() => [0.5, 1_000]));
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(18_000);
  expect([asked.length - before, workspaces]).toEqual([20, []]);
  // Nobody has asked again.
  await vi.advanceTimersByTimeAsync(60_000);
  const ended = asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(ended);
  meter.close();
});

test('a session that is looked at closely is not asked for the list as well', async () => {
  const { meter, sessions, asked } = openMeter(2);
  await meter.watch(sessions, true);
  await meter.watch(sessions.slice(0, 1));
  await vi.advanceTimersByTimeAsync(1_500);
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([asked.filter((id) => id === 'c0').length, asked.filter((id) => id === 'c1').length]).toEqual([5, 1]);
  meter.close();
});

test('the size of a workspace is written down in its session, and shown from there', async () => {
  const { meter, sessions, told, written } = openMeter(1, '2253\n');
  await meter.watch(sessions);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([written, told.at(-1)?.map(({ workspace_bytes }) => workspace_bytes)]).toEqual([[['ses_0', 2_253]], [null]]);
  for (const session of sessions) meter.settle({ ...session, workspace_bytes: 2_253 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told.at(-1)?.map(({ workspace_bytes }) => workspace_bytes)).toEqual([2_253]);
  meter.close();
});
