// Turns the counters of a container into samples, and keeps those of the last ten minutes. Pure but for what it keeps.
import type { ContainerCounters } from '../container/container-counters.ts';
import type { UsageSample } from '../contract/model.ts';

/** One look: counters, the bytes that passed in all, and when it was. */
export interface UsageLook {
  counters: ContainerCounters;
  traffic: { sent: number; received: number } | null;
  /** Monotonic milliseconds. */
  atMs: number;
}

/** A rate between two counts in a second; null when the second is smaller, as after a restart. */
const rate = (before: number | null | undefined, now: number | null | undefined, seconds: number): number | null =>
  before === null || before === undefined || now === null || now === undefined || now < before || seconds <= 0
    ? null
    : (now - before) / seconds;

const rounded = (value: number | null, digits: number): number | null => (value === null ? null : Number(value.toFixed(digits)));

/** What was used between two looks; the first look has no rates. */
export const sampleBetween = (before: UsageLook | null, now: UsageLook, at: string, workspaceBytes: number | null): UsageSample => {
  const seconds = before === null ? 0 : (now.atMs - before.atMs) / 1_000;
  return {
    at,
    cpus: rounded(rate(before?.counters.cpuNs, now.counters.cpuNs, seconds * 1e9), 4),
    memory_bytes: now.counters.memoryBytes,
    processes: now.counters.processes,
    received_per_second: rounded(rate(before?.traffic?.received, now.traffic?.received, seconds), 1),
    sent_per_second: rounded(rate(before?.traffic?.sent, now.traffic?.sent, seconds), 1),
    workspace_bytes: workspaceBytes,
  };
};

const keptMs = 600_000;

/** The samples of the last ten minutes before `now`, oldest first. */
export const keepRecent = (samples: readonly UsageSample[], now: number): UsageSample[] =>
  samples.filter(({ at }) => now - Date.parse(at) <= keptMs);
