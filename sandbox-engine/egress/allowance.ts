// A rate that may be exceeded for a while: so many at once, and so many that come back each second.

export interface Allowance {
  /** Takes one; false when none is left at this moment. */
  take: () => boolean;
}

/** Makes a full one. */
export const createAllowance = (burst: number, perSecond: number): Allowance => {
  let left = burst;
  let countedAt = performance.now();
  return {
    take: () => {
      const now = performance.now();
      left = Math.min(burst, left + ((now - countedAt) / 1_000) * perSecond);
      countedAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
