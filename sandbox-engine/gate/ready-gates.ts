// Gates that stand ready: closed and proven, with nobody behind them. Each was made for an id that no sandbox has yet; who takes the gate
// takes the id, so that name, labels, folder and mounts are its own from the beginning. What is not exactly as it was proven is not used.
import type { ContainerDetails, ContainerRuntime } from '../container/container-runtime.ts';
import type { NetworkOwner } from '../container/sandbox-network.ts';
import { commonPorts } from './addresses.ts';
import type { GateWay } from './gate-ways.ts';
import type { SelfTest } from './self-test.ts';

export interface ReadyGate {
  gateId: string;
  way: GateWay;
  imageId: string;
  /** As the runtime tells it: one that was started again owns a namespace in which nothing was proven. */
  startedAt: string | null;
  test: SelfTest;
}

export interface ReadyGates {
  /** `isReserved`: it has its sandbox already, and nobody else is offered it. */
  put: (owner: NetworkOwner, gate: ReadyGate, isReserved: boolean) => void;
  has: (runtimeId: string) => boolean;
  /** The id of the sandbox that may have the gate; nobody else gets it. Null where none stands ready. */
  take: (runtimeId: string) => string | null;
  /** The gate that was made for this sandbox, once; null where none was. */
  claim: (sandboxId: string) => ReadyGate | null;
  /** Those that nobody has claimed. */
  left: () => NetworkOwner[];
}

/** Makes the set of them, empty. */
export const createReadyGates = (): ReadyGates => {
  const gates = new Map<string, { owner: NetworkOwner; gate: ReadyGate; isTaken: boolean }>();
  const find = (runtimeId: string) => [...gates.values()].find(({ owner, isTaken }) => owner.runtimeId === runtimeId && !isTaken);
  return {
    put: (owner, gate, isReserved) => void gates.set(owner.sandboxId, { owner, gate, isTaken: isReserved }),
    has: (runtimeId) => find(runtimeId) !== undefined,
    take: (runtimeId) => {
      const found = find(runtimeId);
      if (found === undefined) return null;
      found.isTaken = true;
      return found.owner.sandboxId;
    },
    claim: (sandboxId) => {
      const found = gates.get(sandboxId);
      gates.delete(sandboxId);
      return found?.gate ?? null;
    },
    left: () => [...gates.values()].map(({ owner }) => owner),
  };
};

/** Whether it is what was proven, and catches what this sandbox's policy names. */
const isAsProven = ({ startedAt, test }: ReadyGate, found: ContainerDetails | null, ports: readonly number[]): boolean =>
  found?.status === 'running' &&
  startedAt !== null &&
  found.startedAt === startedAt &&
  (test.capture === 'all' || ports.every((port) => commonPorts.includes(port)));

/** Looks at it once more; one that cannot be used is removed, and another is made in its place. */
export const isUsable = async (runtime: ContainerRuntime, gate: ReadyGate, ports: readonly number[]): Promise<boolean> => {
  const found = await runtime.inspectContainer(gate.gateId);
  if (isAsProven(gate, found, ports)) return true;
  if (found !== null) await runtime.removeContainer(found.id);
  return false;
};
