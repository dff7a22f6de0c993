import { expect, test } from 'vitest';
import { countersOf } from '../../../sandbox-engine/container/docker-counters.ts';
import { keepRecent, sampleBetween, type UsageLook } from '../../../sandbox-engine/session/usage-samples.ts';

const look = (atMs: number, cpuNs: number, received: number | null): UsageLook => ({
  counters: {
    ...{ cpuNs, memoryBytes: 1_000, memoryLimitBytes: null, processes: 3, processLimit: null, receivedBytes: null, sentBytes: null },
  },
  traffic: received === null ? null : { received, sent: received / 2 },
  atMs,
});
const at = '2026-11-30T10:00:00.000Z';

test('one busy processor for two seconds is one processor, and bytes are told by the second', () => {
  expect(sampleBetween(look(0, 5e9, 1_000), look(2_000, 7e9, 5_000), at, 42)).toEqual({
    ...{ at, cpus: 1, memory_bytes: 1_000, processes: 3, received_per_second: 2_000, sent_per_second: 1_000, workspace_bytes: 42 },
  });
});

test.each([
  ['the first look', null],
  ['a container that was started again', look(0, 9e9, 9_000)],
])('%s has no rates', (_name, before) => {
  const { cpus, received_per_second } = sampleBetween(before, look(2_000, 7e9, 5_000), at, null);
  expect([cpus, received_per_second]).toEqual([null, null]);
});

test('samples older than ten minutes are let go', () => {
  const sample = sampleBetween(null, look(0, 0, null), at, null);
  const now = Date.parse(at) + 600_000;
  expect([keepRecent([sample], now).length, keepRecent([sample], now + 1).length]).toEqual([1, 0]);
});

test.each([
  ['cgroup v1', { usage: 700, stats: { total_inactive_file: 200, inactive_file: 100 } }, 500],
  ['cgroup v2', { usage: 700, stats: { inactive_file: 100 } }, 600],
  ['a runtime that tells no parts', { usage: 700 }, 700],
  ['nothing', {}, null],
])('memory by %s is without what the kernel would give back', (_name, memory_stats, wanted) => {
  expect(countersOf({ read: at, memory_stats })?.memoryBytes).toBe(wanted);
});

test('no limit is not a number, and a container that does not run has no counters', () => {
  const counted = countersOf({ read: at, memory_stats: { usage: 1, limit: 2 ** 63 }, networks: null });
  expect([counted?.memoryLimitBytes, counted?.receivedBytes]).toEqual([null, null]);
  expect(countersOf({ read: '0001-01-01T00:00:00Z' })).toBeNull();
});
