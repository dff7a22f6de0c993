// Starts the proxy's worker, from the compiled program or from its source.
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { WorkerSettings } from './worker-messages.ts';

const isSource = import.meta.url.endsWith('.ts');

// Node 20 cannot read TypeScript: where the host itself runs from source, its worker gets the same loader.
const fromSource = (workerData: WorkerSettings): Worker => {
  const entry = new URL('./proxy-worker.ts', import.meta.url).href;
  const loader = import.meta.resolve('tsx/esm/api');
  const script = `import('${loader}').then(({ register }) => { register(); return import('${entry}'); });`;
  return new Worker(script, { eval: true, workerData });
};

/** Starts it with a young generation that is large from the beginning: a scavenge then interrupts one connection in thousands. */
export const startWorker = (workerData: WorkerSettings): Worker => {
  setFlagsFromString('--min-semi-space-size=8');
  return isSource ? fromSource(workerData) : new Worker(new URL('./proxy-worker.js', import.meta.url), { workerData });
};
