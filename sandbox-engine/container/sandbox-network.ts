// What a sandbox's container needs for its network, and which way a policy leads. Pure; who makes the way is wired by the engine.
// Source: SPEC.md 6; NETWORK.md 1.1: {} is the only open policy, and nothing is open by being empty, missing or odd.
import type { NetworkPolicy } from '../contract/model.ts';
import type { ContainerSpec, MountSpec } from './container-runtime.ts';

/** The part of a sandbox's container that decides what it can reach. */
export interface SandboxNetwork {
  network: ContainerSpec['network'];
  /** `NAME=value`; the environment's own variables come after them and win. */
  env: string[];
  mounts: MountSpec[];
  securityOpt: string[];
}

/** The runtime's ordinary network with nothing taken away. */
export const openNetwork: SandboxNetwork = { network: 'bridge', env: [], mounts: [], securityOpt: [] };

/** Which way a policy leads: exactly `{}` is the runtime's own network, all else is behind a gate. */
export const wayOf = (policy: NetworkPolicy): 'bridge' | 'gate' => {
  const isPlain = typeof policy === 'object' && policy !== null && !Array.isArray(policy);
  return isPlain && Reflect.ownKeys(policy).length === 0 ? 'bridge' : 'gate';
};
