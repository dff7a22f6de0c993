// The calls that the host's thread has made to the worker and that are not answered yet. They outlive a worker: what the dead one was asked
// is asked of the next.
import { SandlotError } from '../base/errors.ts';
import type { Traffic } from './connection.ts';
import type { Call, OpenSandbox, ToHost, ToWorker } from './worker-messages.ts';

export interface ProxyCalls {
  /** @throws internal */
  ask: (call: Call) => Promise<number>;
  /** Resolves when all that was tried until now has been told; a worker that died has told what it could. */
  flush: () => Promise<void>;
  /** null for a sandbox that is not open. */
  traffic: (sandboxId: string) => Promise<Traffic | null>;
  settle: (answer: Extract<ToHost, { call: number }>) => void;
  /** Opens all sandboxes again and repeats what was asked meanwhile. */
  restore: (sandboxes: OpenSandbox[], onFailure: (cause: Error) => void) => void;
}

interface Pending {
  call: Call;
  settle: (closed: number) => void;
  fail: (error: SandlotError) => void;
}

/** Makes the book of calls. */
export const createProxyCalls = (post: (message: ToWorker) => void): ProxyCalls => {
  let pending = new Map<number, Pending>();
  let count = 0;

  const ask = (call: Call): Promise<number> =>
    new Promise((settle, fail) => {
      count += 1;
      pending.set(count, { call, settle, fail });
      post({ ...call, call: count });
    });

  const askFor = <Value>(into: Map<number, (value: Value) => void>, message: (call: number) => ToWorker): Promise<Value> =>
    new Promise((settle) => {
      count += 1;
      into.set(count, settle);
      post(message(count));
    });
  const flushes = new Map<number, (value: undefined) => void>();
  const counts = new Map<number, (traffic: Traffic | null) => void>();

  return {
    ask,
    flush: async () => void (await askFor(flushes, (call) => ({ kind: 'flush', call }))),
    traffic: (sandboxId) => askFor(counts, (call) => ({ kind: 'traffic', call, sandboxId })),
    settle: (answer) => {
      if (answer.kind === 'traffic') {
        counts.get(answer.call)?.(answer.traffic);
        return void counts.delete(answer.call);
      }
      flushes.get(answer.call)?.(undefined);
      flushes.delete(answer.call);
      const waiting = pending.get(answer.call);
      pending.delete(answer.call);
      if (answer.kind === 'done') waiting?.settle(answer.closed);
      else waiting?.fail(new SandlotError('internal', answer.message));
    },
    restore: (sandboxes, onFailure) => {
      for (const settle of flushes.values()) settle(undefined);
      flushes.clear();
      for (const settle of counts.values()) settle(null);
      counts.clear();
      const asked = [...pending.values()];
      pending = new Map();
      const opening = new Set(asked.flatMap(({ call }) => (call.kind === 'open' ? [call.sandbox.sandboxId] : [])));
      for (const sandbox of sandboxes) {
        if (!opening.has(sandbox.sandboxId)) ask({ kind: 'open', sandbox }).catch(onFailure);
      }
      for (const { call, settle, fail } of asked) ask(call).then(settle, fail);
    },
  };
};
