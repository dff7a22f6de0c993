// A runtime that goes away and comes back: the list says so, nothing is missed, and nothing is listened to twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRuntimes } from '../../../sandbox-engine/container/runtimes.ts';
import type { FakeDaemon } from '../../fakes/docker-daemon.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

let folder = '';
let daemon: FakeDaemon;
let clock = 0;
let ticks = 0;
const open: { close: () => unknown }[] = [];

const watch = async () => {
  const told: string[][] = [];
  const pauses: number[] = [];
  const seen: string[] = [];
  /** How many event streams were open each time the lists were to be asked for afresh. */
  const returned: number[] = [];
  const runtimes = await createRuntimes({
    env: { PATH: '/nonexistent', DOCKER_CONFIG: folder, DOCKER_HOST: daemon.socketPath },
    homeFolder: folder,
    uid: 4242,
    runFolder: folder,
    startPodman: false,
    knownSockets: () => false,
    retryMs: 50,
    now: () => {
      ticks += 1;
      return clock;
    },
    pause: async (ms, signal) => {
      pauses.push(ms);
      await nextTurn(undefined, { signal });
    },
    onChange: (list) => told.push(list.map(({ status }) => status)),
    onEvent: (_id, event) => seen.push(event.id),
    onReconnected: () => returned.push(daemon.eventStreams()),
  });
  open.push(runtimes);
  await vi.waitFor(() => expect(daemon.eventStreams()).toBe(1));
  return { runtimes, told, pauses, seen, returned };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reconnect-'));
  daemon = await startFakeDaemon(join(folder, 'd.sock'));
  open.push(daemon);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
});

const eventRequests = () => daemon.requests.filter(({ path }) => path === '/events').length;

test('twenty refused connections are waited out with growing pauses of at most 30 s, and the lists are asked for when events flow', async () => {
  const { told, pauses, returned, runtimes } = await watch();
  daemon.behaviour.refuseConnections = 20;
  daemon.endEvents();
  const since = performance.now();
  await vi.waitFor(() => expect(told.at(-1)).toEqual(['reconnecting']), { interval: 1 });
  expect(performance.now() - since).toBeLessThan(5000);
  await vi.waitFor(() => expect(returned).toEqual([1]), 10_000);
  expect([runtimes.list()[0]?.status, told.map((list) => list[0])]).toEqual(['connected', ['connected', 'reconnecting', 'connected']]);
  expect(pauses).toHaveLength(21);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect([Math.max(...pauses) > (pauses[0] ?? 0), Math.max(...pauses) <= 30_000]).toEqual([true, true]);
});

test('after twenty rounds one stream is open and an event is heard once', async () => {
  const { seen, returned } = await watch();
  for (let round = 1; round <= 20; round += 1) {
    daemon.endEvents();
    await vi.waitFor(() => expect([returned.length, daemon.eventStreams()]).toEqual([round, 1]), { timeout: 5000, interval: 2 });
  }
  expect(eventRequests()).toBe(21);
  daemon.sendEvent({ Type: 'container', Action: 'die', Actor: { ID: 'c1' } });
  daemon.sendEvent({ Type: 'container', Action: 'die', Actor: { ID: 'c2' } });
  await vi.waitFor(() => expect(seen).toContain('c2'));
  expect(seen).toEqual(['c1', 'c2']);
});

test('a clock that jumped opens the events anew and asks for the lists, a clock that ran does not', async () => {
  const { returned, told, seen } = await watch();
  clock += 10_000;
  const before = ticks;
  await vi.waitFor(() => expect(ticks).toBeGreaterThan(before + 6), 5000);
  expect([eventRequests(), returned]).toEqual([1, []]);
  clock += 3_600_000;
  await vi.waitFor(() => expect([eventRequests(), returned.length, daemon.eventStreams()]).toEqual([2, 1, 1]));
  daemon.sendEvent({ Type: 'container', Action: 'die', Actor: { ID: 'c1' } });
  await vi.waitFor(() => expect(seen).toEqual(['c1']));
  expect(told).toEqual([['connected']]);
});

test('a machine that wakes up without its runtime says so and finds it again', async () => {
  const { runtimes, returned, told } = await watch();
  daemon.behaviour.refuseConnections = 5;
  clock += 3_600_000;
  await vi.waitFor(() => expect(told.map((list) => list[0])).toEqual(['connected', 'reconnecting', 'connected']), 5000);
  await vi.waitFor(() => expect([returned.length, runtimes.list()[0]?.status]).toEqual([1, 'connected']));
});
