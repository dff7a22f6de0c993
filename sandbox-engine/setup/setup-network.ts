// The network of a setup run: opened before its container, proven before the script, closed when the container is gone.
import type { NetworkOwner, SandboxNetwork, SandboxNetworks } from '../container/sandbox-network.ts';
import { openNetwork, wayOf } from '../container/sandbox-network.ts';
import type { Environment, NetworkPolicy } from '../contract/model.ts';

export interface SetupNetwork {
  join: SandboxNetwork;
  /** What hints have to know: whether anything could have been reached at all. */
  hasWay: boolean;
  /** Whether what is tried is heard of: on the runtime's own bridge nothing is, and nothing is blocked. */
  isWatched: boolean;
  /** The container may be made meanwhile, and is started after this. @throws gate_failed */
  proven: Promise<unknown>;
  close: () => Promise<void>;
}

interface SetupNetworkRequest extends Omit<NetworkOwner, 'kind'> {
  environment: Environment;
  imageId: string;
  observe: boolean;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** Whether a policy lets anything through: behind a gate without an allow rule nothing can be reached. */
export const opensAnything = (policy: NetworkPolicy): boolean =>
  !('rules' in policy) || policy.rules.some(({ action }) => action === 'allow');

/** Opens the network that the environment's policy leads to. @throws gate_failed @throws build_failed @throws cancelled */
export const openSetupNetwork = async (networks: SandboxNetworks, request: SetupNetworkRequest): Promise<SetupNetwork> => {
  // What is observed has to pass the gate: nobody sees what goes over the bridge.
  if (!request.observe && wayOf(request.environment.network_policy) === 'bridge') {
    return { join: openNetwork, hasWay: true, isWatched: false, proven: Promise.resolve(), close: async () => undefined };
  }
  if (request.observe)
    request.onLine('Observed: everything public passes and is written down. This run proves nothing and leaves no image.');
  const owner: NetworkOwner = { runtimeId: request.runtimeId, sandboxId: request.sandboxId, kind: 'setup-run' };
  const { way, join, proven } = await networks.open({ ...request, ...owner });
  const isWatched = way === 'gate';
  const hasWay = isWatched && (request.observe || opensAnything(request.environment.network_policy));
  return { join, hasWay, isWatched, proven, close: async () => (isWatched ? await networks.close(owner) : undefined) };
};
