// Starts a thread of our own, from the compiled program or from its source.
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';

// Node 20 cannot read TypeScript: where the host itself runs from source, its threads get the same loader.
const fromSource = (entry: URL, options: WorkerOptions): Worker => {
  const loader = import.meta.resolve('tsx/esm/api');
  const script = `import('${loader}').then(({ register }) => { register(); return import('${entry.href}'); });`;
  return new Worker(script, { ...options, eval: true });
};

/** Starts the program of this name beside the module whose `import.meta.url` is given. Whoever starts it ends it. */
export const startThread = (besideUrl: string, name: string, workerData: unknown, resourceLimits?: ResourceLimits): Worker => {
  const isSource = besideUrl.endsWith('.ts');
  const entry = new URL(`./${name}.${isSource ? 'ts' : 'js'}`, besideUrl);
  const options = resourceLimits === undefined ? { workerData } : { workerData, resourceLimits };
  return isSource ? fromSource(entry, options) : new Worker(entry, options);
};
