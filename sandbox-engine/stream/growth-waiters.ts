// Those who wait for a stream to grow, whether it is open or will be.

interface Waiter {
  size: number;
  done: () => void;
}

/** Makes the waiting room of a store; `wake` lets those go whose size was passed. */
export const createGrowthWaiters = () => {
  const waiting = new Map<string, Set<Waiter>>();
  return {
    wait: (id: string, size: number, timeoutMs: number): Promise<void> =>
      new Promise((resolve) => {
        const room = waiting.get(id) ?? new Set<Waiter>();
        waiting.set(id, room);
        const waiter: Waiter = {
          size,
          done: () => {
            clearTimeout(timer);
            room.delete(waiter);
            if (room.size === 0 && waiting.get(id) === room) waiting.delete(id);
            resolve();
          },
        };
        const timer = setTimeout(waiter.done, timeoutMs);
        room.add(waiter);
      }),
    wake: (id: string, size: number, ended: boolean): void => {
      for (const waiter of [...(waiting.get(id) ?? [])]) if (ended || size > waiter.size) waiter.done();
    },
  };
};
