// The entry of the policy proxy's worker thread. Bytes of sandboxes never touch the thread that serves the window.
import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from './give-way.ts';
import { createPolicyServer } from './policy-server.ts';
import type { ToWorker, WorkerSettings } from './worker-messages.ts';

if (parentPort !== null) {
  const port = parentPort;
  giveWay();
  const handle = createPolicyServer(workerData as WorkerSettings, (message) => port.postMessage(message));
  port.on('message', (message: ToWorker) => handle(message));
}
