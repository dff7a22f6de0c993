// Starts the proxy's worker.
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/start-thread.ts';
import type { WorkerSettings } from './worker-messages.ts';

/** Starts it with a young generation that is large from the beginning: a scavenge then interrupts one connection in thousands. */
export const startWorker = (workerData: WorkerSettings): Worker => {
  setFlagsFromString('--min-semi-space-size=8');
  return startThread(import.meta.url, 'proxy-worker', workerData);
};
