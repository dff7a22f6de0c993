// The time of a tape as it is played: pauses in which nothing happens are cut short, and everything has its place on the shorter line. Pure.
import type { TapeFrame } from '../../../sandbox-engine/contract/model.ts';

export interface TapeTime {
  /** When each frame is played, in milliseconds from the beginning. */
  times: number[];
  durationMs: number;
  /** Where a moment of the real time is on the played line. */
  placeOf: (realMs: number) => number;
}

/** How much of a pause is played: all that is not longer than this. */
export const longestPauseMs = 1_500;

/** Lays the frames out; `keepsPauses` leaves them as they were. */
export const layOut = (frames: readonly TapeFrame[], keepsPauses: boolean): TapeTime => {
  const times: number[] = [];
  let [played, real] = [0, 0];
  for (const { at_ms } of frames) {
    const pause = Math.max(0, at_ms - real);
    played += keepsPauses ? pause : Math.min(pause, longestPauseMs);
    real = Math.max(real, at_ms);
    times.push(played);
  }
  const placeOf = (realMs: number): number => {
    const next = frames.findIndex(({ at_ms }) => at_ms >= realMs);
    if (next < 0) return times.at(-1) ?? 0;
    const before = next === 0 ? 0 : (times[next - 1] ?? 0);
    const realBefore = next === 0 ? 0 : (frames[next - 1]?.at_ms ?? 0);
    return Math.min(times[next] ?? 0, before + Math.max(0, realMs - realBefore));
  };
  return { times, durationMs: times.at(-1) ?? 0, placeOf };
};

/** How many frames have been played at this moment. */
export const playedAt = (times: readonly number[], atMs: number): number => {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** `1:05`, `1:02:03`. */
export const clockText = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
};
