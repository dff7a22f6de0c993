// Keeps one worker alive: one that died is started again, after a pause that grows while it dies at once.
import type { Worker } from 'node:worker_threads';
import type { ToHost, ToWorker } from './worker-messages.ts';

export interface WorkerLife {
  begin: () => void;
  /** Says something to the worker; to none while there is none, which `onStart` makes good. */
  post: (message: ToWorker) => void;
  /** Lets the worker end in order, then ends it. */
  stop: () => Promise<void>;
  isAlive: () => boolean;
  /** Kills the worker, as a crash would. */
  crash: () => Promise<void>;
}

export interface WorkerLifeOptions {
  start: () => Worker;
  onMessage: (message: ToHost) => void;
  onStart: () => void;
  onCrash: (cause: Error) => void;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;
/** A worker that has lived so long is not one that dies at once. */
const steadyMs = 10_000;
/** How long a worker may take to end in order. */
const stopMs = 2_000;

const endInOrder = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, stopMs);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    worker.once('exit', settle);
    worker.on('message', ({ kind }: ToHost) => {
      if (kind === 'stopped') settle();
    });
    worker.postMessage({ kind: 'stop' } satisfies ToWorker);
  });

/** Makes the life of a worker; it begins with `begin`. */
export const keepWorker = ({ start, onMessage, onStart, onCrash }: WorkerLifeOptions): WorkerLife => {
  let worker: Worker | null = null;
  let isStopping = false;
  let pauseMs = firstPauseMs;

  const begin = () => {
    const startedAt = performance.now();
    let cause = new Error('The worker of the policy proxy ended.');
    const started = start();
    worker = started;
    started.on('message', onMessage);
    started.on('error', (error) => {
      cause = error instanceof Error ? error : cause;
    });
    started.once('exit', () => {
      worker = null;
      if (isStopping) return;
      onCrash(cause);
      pauseMs = performance.now() - startedAt > steadyMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      setTimeout(() => {
        if (!isStopping) begin();
      }, pauseMs);
    });
    onStart();
  };

  return {
    begin,
    post: (message) => worker?.postMessage(message),
    stop: async () => {
      isStopping = true;
      if (worker === null) return;
      await endInOrder(worker);
      await worker?.terminate();
    },
    isAlive: () => worker !== null,
    crash: async () => {
      await worker?.terminate();
    },
  };
};
