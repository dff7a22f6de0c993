// Time as ISO 8601 in UTC, milliseconds, always ending in Z; durations come from a monotonic source.
export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Now, as `2026-11-29T17:46:21.123Z`. */
  iso: () => string;
  /** Monotonic milliseconds: for durations only, never stored. */
  monotonic: () => number;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  iso: () => new Date().toISOString(),
  monotonic: () => performance.now(),
};
