// The share that one sandbox has of the worker's thread: in one turn of the event loop it begins a few things, and what is more waits for the
// next turn, in its order. Requests and questions that come in a row on one connection would else all be answered before anybody else is heard.

export interface Share {
  /** Begins it now, or when its turn has come. */
  offer: (begin: () => void) => void;
}

/** Makes the share of one sandbox. */
export const createShare = (inTurn: number): Share => {
  let left = inTurn;
  let isCounting = false;
  let waiting: (() => void)[] = [];

  const take = (begin: () => void): void => {
    left -= 1;
    if (!isCounting) setImmediate(nextTurn);
    isCounting = true;
    begin();
  };

  const nextTurn = (): void => {
    left = inTurn;
    isCounting = false;
    const due = waiting.slice(0, inTurn);
    waiting = waiting.slice(inTurn);
    for (const begin of due) take(begin);
  };

  return {
    offer: (begin) => {
      if (left > 0 && waiting.length === 0) take(begin);
      else waiting.push(begin);
    },
  };
};

/** Resolves when its turn has come. */
export const shareOf = (share: Share): Promise<void> => new Promise((resolve) => share.offer(resolve));
