// Runs one build at a time per runtime, in the order asked for; a waiting one can be taken out again.

export interface BuildQueue {
  /** Runs `work` when its turn comes. The signal fires on `cancel`, also while it still waits. */
  add: (runtimeId: string, id: string, work: (signal: AbortSignal) => Promise<void>) => void;
  /** Answers whether there was anything to cancel. */
  cancel: (id: string) => boolean;
  /** Cancels all and waits for the running ones to let go. */
  close: () => Promise<void>;
}

/** Makes an empty queue. `work` must not reject: whoever adds it owns its outcome. */
export const createBuildQueue = (): BuildQueue => {
  const tails = new Map<string, Promise<void>>();
  const controllers = new Map<string, AbortController>();
  return {
    add: (runtimeId, id, work) => {
      const controller = new AbortController();
      controllers.set(id, controller);
      const before = tails.get(runtimeId) ?? Promise.resolve();
      const cancelled = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve(), { once: true }));
      // A cancelled one does not wait for its turn: its work starts at once and ends at once, while the others keep their order.
      const run = Promise.race([before, cancelled])
        .then(() => work(controller.signal))
        .finally(() => controllers.delete(id));
      tails.set(
        runtimeId,
        Promise.all([before, run]).then(() => undefined),
      );
    },
    cancel: (id) => {
      const controller = controllers.get(id);
      controller?.abort();
      return controller !== undefined;
    },
    close: async () => {
      for (const controller of controllers.values()) controller.abort();
      await Promise.allSettled(tails.values());
    },
  };
};
