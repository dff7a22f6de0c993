// Shares the worker's thread fairly between connections: in one turn of the event loop none may move more than its share.
// A share is small while many are busy, so that each gets its turn, and large while few are, so that one gets the whole thread.

/** What a connection needs to take its turn. */
export interface Turn {
  /** The turn in which `moved` was counted. */
  number: number;
  moved: number;
}

export interface Turns {
  /** The buffer into which the next bytes are read; all connections share its memory, so nobody keeps it. */
  buffer: () => Buffer;
  /** Counts bytes that were moved; true when the share of this turn is used up, and `goOn` is called in the next one. */
  count: (turn: Turn, bytes: number, goOn: () => void) => boolean;
}

/** What a unix socket takes at once: more would have to be copied and to wait. */
const wholeBytes = 128 * 1024;
const shareOfFew = 1024 * 1024;
const shareOfMany = 64 * 1024;
/** Up to so many busy connections are few. */
const few = 4;
/** A read of less is not a stream that could starve others. */
const bulkBytes = 16 * 1024;

/** Makes the turns of one thread. */
export const createTurns = (): Turns => {
  const whole = Buffer.allocUnsafeSlow(wholeBytes);
  const part = whole.subarray(0, shareOfMany);
  let number = 1;
  let busy = 0;
  let crowded = false;
  let waiting: (() => void)[] = [];

  const nextTurn = () => {
    number += 1;
    crowded = busy > few;
    busy = 0;
    const due = waiting;
    waiting = [];
    for (const goOn of due) goOn();
  };

  const enter = (turn: Turn) => {
    if (busy === 0) setImmediate(nextTurn);
    busy += 1;
    turn.number = number;
    turn.moved = 0;
  };

  return {
    buffer: () => (crowded ? part : whole),
    count: (turn, bytes, goOn) => {
      if (turn.number !== number) {
        if (bytes < bulkBytes) return false;
        enter(turn);
      }
      turn.moved += bytes;
      if (turn.moved < (crowded ? shareOfMany : shareOfFew)) return false;
      waiting.push(goOn);
      return true;
    },
  };
};
