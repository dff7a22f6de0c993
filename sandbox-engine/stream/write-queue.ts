// Gathers the appends of one turn of the event loop into one write, and lets all of them wait on one promise.

export interface WriteQueue {
  /** Resolves when all that waits now is written; rejects with the write's own failure, which later calls try again. */
  written: () => Promise<void>;
  /** The last write failed, and nothing has succeeded since. */
  isFailing: () => boolean;
}

interface Batch {
  promise: Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

const createBatch = (): Batch => {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((onDone, onFailure) => {
    resolve = onDone;
    reject = onFailure;
  });
  // A caller that does not wait must not bring the host down; the next append reports it again.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
};

/** Makes the queue before `write`, which writes all that waits when it is called. */
export const createWriteQueue = (write: () => Promise<void>): WriteQueue => {
  let batch: Batch | null = null;
  let isWriting = false;
  let failing = false;

  const takeBatch = (): Batch | null => {
    const taken = batch;
    batch = null;
    return taken;
  };

  const run = async (): Promise<void> => {
    isWriting = true;
    await new Promise(setImmediate);
    for (let current = takeBatch(); current !== null; current = takeBatch()) {
      try {
        await write();
        failing = false;
        current.resolve();
      } catch (thrown) {
        failing = true;
        current.reject(thrown);
        takeBatch()?.reject(thrown);
      }
    }
    isWriting = false;
  };

  return {
    isFailing: () => failing,
    written: () => {
      batch ??= createBatch();
      const { promise } = batch;
      if (!isWriting) void run();
      return promise;
    },
  };
};
