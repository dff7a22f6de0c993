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
  begin: (item: T) => void;
}

/** How long it waits when the rate is used up. */
const pauseMs = 10;
/** A turn of the event loop is counted by time: who comes seldom is then never put off. */
const turnsInSecond = 2_000;
/** A turn that lasts longer, since others move much, counts for as many as would have passed, but not for more than so many. */
const turnMs = 1;
const mostInOne = 8;

/** What may begin besides after a turn that began then; the pause between two turns is none. */
const owedSince = (turnBegan: number, inTurn: number): number => {
  const turns = Math.floor((performance.now() - turnBegan) / turnMs);
  return inTurn * Math.max(0, Math.min(mostInOne, turns) - 1);
};

/** Makes the pace of one sandbox. */
export const createPace = <T>({ inTurn, inSecond, atOnce, begin }: PaceOptions<T>): Pace<T> => {
  const now = createAllowance(inTurn, inTurn * turnsInSecond);
  const lately = createAllowance(atOnce, inSecond);
  let waiting: T[] = [];
  let cancel: (() => void) | null = null;
  let turnBegan = 0;
  let owed = 0;

  const wait = (isPause: boolean) => {
    turnBegan = isPause ? Number.POSITIVE_INFINITY : performance.now();
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
    owed = owedSince(turnBegan, inTurn);
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
