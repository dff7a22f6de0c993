// Whether a sandbox worked between two looks at its counters. Pure.
import type { ContainerUsage } from '../container/container-runtime.ts';

export interface UsageSample extends ContainerUsage {
  /** Monotonic milliseconds. */
  atMs: number;
}

/** Of one processor, over the time between two looks: what idle servers and editors need for their timers stays below. */
const busyShare = 0.02;
/** What a bridge says to its containers by itself stays below. */
const busyBytes = 16_384;

/** True when it used more than an idle one does. */
export const wasBusy = (before: UsageSample, now: UsageSample): boolean => {
  const elapsedMs = now.atMs - before.atMs;
  if (elapsedMs <= 0) return false;
  // A container that was started again counts from nothing.
  const cpuMs = Math.max(0, now.cpuMs - before.cpuMs);
  return cpuMs / elapsedMs > busyShare || Math.max(0, now.networkBytes - before.networkBytes) > busyBytes;
};
