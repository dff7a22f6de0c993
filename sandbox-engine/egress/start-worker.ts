// Starts the proxy's worker.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/start-thread.ts';
import type { WorkerSettings } from './worker-messages.ts';

/** Starts it with a young generation that is large, and its own: a scavenge then interrupts one connection in thousands. */
export const startWorker = (workerData: WorkerSettings): Worker =>
  startThread(import.meta.url, 'proxy-worker', workerData, { maxYoungGenerationSizeMb: 192 });
