// Tells that a stream has grown: at once after a pause, so that a keystroke echoes immediately, then at most every 16 ms.

export interface Growth {
  size: number;
  ended: boolean;
  from?: number;
  chunk?: Buffer;
}

export interface GrowthTeller {
  grew: () => void;
  /** The last word: at once, and nothing after it. */
  ended: () => void;
}

interface TellerOptions {
  size: () => number;
  /** The bytes of the range if they are in memory. */
  slice: (from: number, to: number) => Buffer | null;
  tell: (growth: Growth) => void;
}

const betweenMs = 16;
const largestChunk = 16_384;

/** Makes the teller of one stream; what was there before is not told again. */
export const createGrowthTeller = ({ size, slice, tell }: TellerOptions): GrowthTeller => {
  let told = size();
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let over = false;

  const tellNow = (ended: boolean) => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    lastAt = performance.now();
    const now = size();
    const chunk = now > told && now - told <= largestChunk ? slice(told, now) : null;
    const growth: Growth = chunk === null ? { size: now, ended } : { size: now, ended, from: told, chunk };
    told = now;
    tell(growth);
  };

  return {
    grew: () => {
      if (over || timer !== null) return;
      const due = lastAt + betweenMs - performance.now();
      if (due <= 0) tellNow(false);
      else timer = setTimeout(() => tellNow(false), due);
    },
    ended: () => {
      if (over) return;
      over = true;
      tellNow(true);
    },
  };
};
