// The policy proxy as the host sees it: sandboxes are opened, changed and closed; what they tried comes back in batches. The work is done in
// a worker thread. When that dies, the sockets of all sandboxes are gone, so that nothing passes, until it runs again under the same policies.
import { SandlotError } from '../base/errors.ts';
import type { Attempt } from '../contract/model/network.ts';
import type { OwnAddresses } from './address.ts';
import type { Traffic } from './connection.ts';
import { keepWorker, type WorkerLife } from './keep-worker.ts';
import { type EgressLimits, egressLimits, fitToFiles, fitToMemory, kernelMemoryHere, mostFilesHere } from './limits.ts';
import type { SandboxPolicy } from './loaded-policy.ts';
import { createProxyCalls, type ProxyCalls } from './proxy-calls.ts';
import type { Resolve } from './resolve.ts';
import { startWorker } from './start-worker.ts';
import type { OpenSandbox, RouteEntry, ToHost } from './worker-messages.ts';

export interface PolicyProxyOptions {
  onAttempts: (batch: Attempt[]) => void;
  /** Told of each name of a sandbox that got an address, so that it can be given back after a restart. */
  onName?: (sandboxId: string, name: string, address: string) => void;
  own: OwnAddresses;
  limits?: Partial<EgressLimits>;
  /** Told when the worker died; it is started again. */
  onCrash?: (cause: Error) => void;
  /** The network beyond the proxy, in the place of the real one. */
  upstream?: { resolve: Resolve; routes: RouteEntry[] };
}

export interface PolicyProxy {
  /** Resolves when both sockets are in the folder, which is there already and which only this user and the gate can enter. @throws internal */
  open: (sandbox: OpenSandbox) => Promise<void>;
  /**
   * Takes effect at once; `closed` counts the connections that are no longer allowed and were closed. One that cannot be read closes the
   * sandbox. @throws not_found @throws internal
   */
  setPolicy: (sandboxId: string, policy: SandboxPolicy) => Promise<{ closed: number }>;
  close: (sandboxId: string) => Promise<void>;
  /** Resolves when all that was tried until now has been told. */
  flush: () => Promise<void>;
  /** What has passed for a sandbox since it was opened; null for one that is not open. */
  traffic: (sandboxId: string) => Promise<Traffic | null>;
  setOwn: (own: OwnAddresses) => void;
  setRoutes: (routes: RouteEntry[]) => void;
  stop: () => Promise<void>;
  isAlive: () => boolean;
  /** Kills the worker, as a crash would. */
  crash: () => Promise<void>;
}

const proxyOf = (calls: ProxyCalls, life: WorkerLife, sandboxes: Map<string, OpenSandbox>): Omit<PolicyProxy, 'setOwn' | 'setRoutes'> => ({
  open: async (sandbox) => {
    sandboxes.set(sandbox.sandboxId, { ...sandbox, names: [...(sandbox.names ?? [])] });
    try {
      await calls.ask({ kind: 'open', sandbox });
    } catch (thrown) {
      sandboxes.delete(sandbox.sandboxId);
      throw thrown;
    }
  },
  setPolicy: async (sandboxId, policy) => {
    const sandbox = sandboxes.get(sandboxId);
    if (sandbox === undefined) throw new SandlotError('not_found', `The proxy has no sandbox ${sandboxId}.`);
    sandboxes.set(sandboxId, { ...sandbox, ...policy });
    try {
      return { closed: await calls.ask({ kind: 'set_policy', sandboxId, policy }) };
    } catch (thrown) {
      sandboxes.delete(sandboxId); // The worker has closed it.
      throw thrown;
    }
  },
  close: async (sandboxId) => {
    sandboxes.delete(sandboxId);
    await calls.ask({ kind: 'close', sandboxId });
  },
  flush: calls.flush,
  traffic: calls.traffic,
  stop: life.stop,
  isAlive: life.isAlive,
  crash: life.crash,
});

const nothing = (): undefined => undefined;

/** Starts the worker. Who creates the proxy stops it. */
export const createPolicyProxy = ({
  onAttempts,
  upstream,
  onCrash = nothing,
  onName = nothing,
  ...options
}: PolicyProxyOptions): PolicyProxy => {
  const limits = fitToMemory(fitToFiles({ ...egressLimits, ...options.limits }, mostFilesHere()), kernelMemoryHere());
  let { own } = options;
  let routes = upstream?.routes ?? [];
  const sandboxes = new Map<string, OpenSandbox>();

  const answerAsk = async (ask: number, name: string): Promise<void> => {
    const answer = await upstream?.resolve(name);
    if (answer !== undefined) life.post({ kind: 'resolved', ask, answer });
  };

  const takeName = ({ sandboxId, name, address }: Extract<ToHost, { kind: 'named' }>): void => {
    sandboxes.get(sandboxId)?.names?.push([name, address]);
    onName(sandboxId, name, address);
  };

  const onMessage = (message: ToHost) => {
    if (message.kind === 'attempts') onAttempts(message.attempts);
    else if (message.kind === 'named') takeName(message);
    else if (message.kind === 'resolve') void answerAsk(message.ask, message.name);
    else if (message.kind !== 'stopped') calls.settle(message);
  };

  const life = keepWorker({
    start: () => startWorker({ own, limits, isUpstreamGiven: upstream !== undefined }),
    onMessage,
    onCrash,
    onStart: () => {
      life.post({ kind: 'routes', routes });
      calls.restore([...sandboxes.values()], onCrash);
    },
  });
  const calls = createProxyCalls((message) => life.post(message));
  life.begin();
  return {
    ...proxyOf(calls, life, sandboxes),
    setOwn: (next) => {
      own = next;
      life.post({ kind: 'own', own });
    },
    setRoutes: (next) => {
      routes = next;
      life.post({ kind: 'routes', routes });
    },
  };
};
