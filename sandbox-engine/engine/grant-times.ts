// How much of a grant's time is left: until the time of day that it was given, and no longer than that was away when this host first saw it,
// however the clock is set meanwhile.
import type { Clock } from '../base/clock.ts';
import type { EgressGrant } from '../contract/model.ts';

export interface GrantTimes {
  /** Milliseconds; 0 when it is over, infinite when it ends with its sandbox. */
  leftMs: (grant: Pick<EgressGrant, 'id' | 'granted_at' | 'until'>) => number;
}

/** Makes the times of one host. */
export const createGrantTimes = (clock: Clock): GrantTimes => {
  const ends = new Map<string, number>();
  return {
    leftMs: ({ id, granted_at, until }) => {
      if (until === null) return Number.POSITIVE_INFINITY;
      const [left, passed] = [Date.parse(until) - clock.now(), clock.monotonic()];
      // One that was given later than now is of a clock that was set back before this host: how much of its time is left, nobody knows.
      const end = ends.get(id) ?? (granted_at <= clock.iso() ? passed + left : passed);
      ends.set(id, end);
      return Math.max(0, Math.min(left, end - passed));
    },
  };
};
