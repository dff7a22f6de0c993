// Begins things one after the other: a few at a time, and not more in a second than allowed, so that whoever asks for many leaves others
// their turn. What has to wait begins later, in order.
import { createAllowance } from './allowance.ts';

export interface Pace<T> {
  /** Begins it now, or when its time has come. */
  offer: (item: T) => void;
  /** Begins nothing any more; answers what was waiting. */
  stop: () => T[];
}

export interface PaceOptions<T> {
  /** Begun in one go; the others wait for a turn of the event loop. */
  inTurn: number;
  inSecond: number;
  /** Begun at any rate before `inSecond` counts. */
  atOnce: number;
  /** For how many short turns of the event loop the last one counts, where others moved much in it. */
  turnsInLast?: () => number;
  begin: (item: T) => void;
}

/** How long it waits when the rate is used up. */
const pauseMs = 10;
/** A turn of the event loop is counted by time: who comes seldom is then never put off. */
const turnsInSecond = 2_000;

/** Makes the pace of one sandbox. */
export const createPace = <T>({ inTurn, inSecond, atOnce, turnsInLast = () => 1, begin }: PaceOptions<T>): Pace<T> => {
  const now = createAllowance(inTurn, inTurn * turnsInSecond);
  const lately = createAllowance(atOnce, inSecond);
  let waiting: T[] = [];
  let cancel: (() => void) | null = null;
  /** What may begin besides, since the last turn was a long one. */
  let owed = 0;

  const wait = (isPause: boolean) => {
    const timer = isPause ? setTimeout(goOn, pauseMs) : null;
    const turn = isPause ? null : setImmediate(goOn);
    cancel = () => {
      if (timer !== null) clearTimeout(timer);
      if (turn !== null) clearImmediate(turn);
    };
  };

  const tryBegin = (item: T): boolean => {
    if (!now.take() && --owed < 0) {
      wait(false);
      return false;
    }
    if (!lately.take()) {
      wait(true);
      return false;
    }
    begin(item);
    return true;
  };

  const goOn = () => {
    cancel = null;
    owed = inTurn * (turnsInLast() - 1);
    let taken = 0;
    while (taken < waiting.length && tryBegin(waiting[taken] as T)) taken += 1;
    waiting = waiting.slice(taken);
    owed = 0;
  };

  return {
    offer: (item) => {
      if (cancel !== null || !tryBegin(item)) waiting.push(item);
    },
    stop: () => {
      cancel?.();
      const left = waiting;
      waiting = [];
      return left;
    },
  };
};
