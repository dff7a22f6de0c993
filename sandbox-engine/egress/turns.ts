// Shares the worker's thread fairly between connections: in one turn of the event loop none may move more than its share, and not more than
// some may move a share. Shares are large, since many small reads and writes cost twice the processor time of few large ones; turns are short,
// since whoever connects or types meanwhile waits for the end of one.
import { nativeSockets } from './native-sockets.ts';

/** What a connection needs to take its turn. */
export interface Turn {
  /** The turn in which `moved` was counted. */
  number: number;
  moved: number;
}

export interface Turns {
  /** The buffer into which the next bytes are read; all connections share its memory, so nobody keeps it. */
  buffer: () => Buffer;
  /** Counts bytes that were moved; true when the share of this turn is used up, and `goOn` is called in a later one. */
  count: (turn: Turn, bytes: number, goOn: () => void) => boolean;
  /** Counts bytes that could not be passed on yet and were copied, and, as less than 0, those that were passed on since. */
  keep: (bytes: number) => void;
  /** For how many short turns the last one counts, by what was moved in it: so many are let in for each. */
  inLast: () => number;
}

/** What is read at once: what the other end takes at once too. A relay's unix socket takes less; the rest would be copied and have to wait. */
const wholeBytes = 1024 * (nativeSockets() === null ? 128 : 256);
/** The same while much waits for ends that take nothing, so that they do not fill the memory. */
const partBytes = 64 * 1024;
const muchKept = 16 * 1024 * 1024;
const shareOfFew = 1024 * 1024;
/** Up to so many busy connections are few. */
const few = 4;
/** Of those that have had their share, so many may go on in one turn. */
const mostGoOn = 32;
/** What is moved in the time of a short turn, and for how many short ones one counts at most. */
const shortTurnBytes = 1024 * 1024;
const mostShort = 8;
/** So long after the last turn in which something was moved, turns are short again. */
const lastsMs = 50;
/** A read of less is not a stream that could starve others. */
const bulkBytes = 16 * 1024;

/** The memory that all read into, by how much waits. */
const createReading = (): Pick<Turns, 'buffer' | 'keep'> => {
  const whole = Buffer.allocUnsafeSlow(wholeBytes);
  const part = whole.subarray(0, partBytes);
  let kept = 0;
  return {
    buffer: () => (kept > muchKept ? part : whole),
    keep: (bytes) => {
      kept += bytes;
    },
  };
};

/** Makes the turns of one thread; `nextTurn` calls a function in the next turn of its event loop. */
export const createTurns = (nextTurn: (begin: () => void) => void = setImmediate): Turns => {
  let number = 1;
  let busy = 0;
  let moved = 0;
  let last = { moved: 0, at: 0 };
  let isCrowded = false;
  let isAwaited = false;
  let waiting: (() => void)[] = [];

  const awaitNext = () => {
    if (isAwaited) return;
    isAwaited = true;
    nextTurn(begin);
  };

  const begin = () => {
    isAwaited = false;
    number += 1;
    isCrowded = busy + waiting.length > few;
    busy = 0;
    last = { moved, at: performance.now() };
    moved = 0;
    const due = waiting.slice(0, mostGoOn);
    waiting = waiting.slice(mostGoOn);
    for (const goOn of due) goOn();
    // Those who go on may have nothing to move, and then nobody else would call for the next turn.
    if (waiting.length > 0) awaitNext();
  };

  const enter = (turn: Turn) => {
    awaitNext();
    busy += 1;
    turn.number = number;
    turn.moved = 0;
  };

  return {
    ...createReading(),
    count: (turn, bytes, goOn) => {
      if (turn.number !== number) {
        if (bytes < bulkBytes) return false;
        enter(turn);
      }
      turn.moved += bytes;
      moved += bytes;
      if (turn.moved < (isCrowded ? wholeBytes : shareOfFew)) return false;
      waiting.push(goOn);
      return true;
    },
    inLast: () => (performance.now() - last.at > lastsMs ? 1 : Math.min(mostShort, 1 + Math.floor(last.moved / shortTurnBytes))),
  };
};
