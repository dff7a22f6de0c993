// Begins things one after the other: a few in a turn of the event loop, and not more in a second than allowed, so that whoever asks for many
// leaves others their turn. What has to wait begins later, in order.
import { createAllowance } from './allowance.ts';

export interface Pace<T> {
  /** Begins it now, or when its time has come. */
  offer: (item: T) => void;
  /** Begins nothing any more; answers what was waiting. */
  stop: () => T[];
}

export interface PaceOptions<T> {
  inTurn: number;
  inSecond: number;
  /** Begun at any rate before `inSecond` counts. */
  atOnce: number;
  begin: (item: T) => void;
}

/** How long it waits when the rate is used up. */
const pauseMs = 10;

/** Makes the pace of one sandbox. */
export const createPace = <T>({ inTurn, inSecond, atOnce, begin }: PaceOptions<T>): Pace<T> => {
  const allowance = createAllowance(atOnce, inSecond);
  let waiting: T[] = [];
  let begun = 0;
  let turn: NodeJS.Immediate | null = null;
  let timer: NodeJS.Timeout | null = null;

  const tryBegin = (item: T): boolean => {
    if (begun >= inTurn || timer !== null) return false;
    if (!allowance.take()) {
      timer = setTimeout(afterPause, pauseMs);
      return false;
    }
    begun += 1;
    if (turn === null) turn = setImmediate(nextTurn);
    begin(item);
    return true;
  };

  const goOn = () => {
    let taken = 0;
    while (taken < waiting.length && tryBegin(waiting[taken] as T)) taken += 1;
    waiting = waiting.slice(taken);
  };

  const afterPause = () => {
    timer = null;
    goOn();
  };

  const nextTurn = () => {
    turn = null;
    begun = 0;
    goOn();
  };

  return {
    offer: (item) => {
      if (waiting.length > 0 || !tryBegin(item)) waiting.push(item);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      if (turn !== null) clearImmediate(turn);
      const left = waiting;
      waiting = [];
      return left;
    },
  };
};
