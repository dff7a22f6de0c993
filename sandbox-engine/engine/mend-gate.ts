// Gates that were removed outside Sandlot while their sandbox stayed. Such a gate is made anew, closed and proven, under what its sandbox may
// reach. A sandbox that runs is then mended as after any gate that ended; a stopped one joined a gate that has another id now, and a runtime
// looks for that id as a name, too: the new gate bears it while the sandbox is started.
// Source: SPEC.md 6 (fail closed, and it heals).
import type { ContainerDetails, ContainerRuntime } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { NetworkOwner } from '../container/sandbox-network.ts';
import { gateName } from '../gate/gate-container.ts';
import type { Gates } from '../gate/gates.ts';
import type { GateRequest } from '../gate/open-gate.ts';

export interface GateMending {
  /** Makes the gate of a sandbox anew where it is gone, and gives one its name back that bears another. @throws gate_failed */
  remake: (owner: NetworkOwner, containerId: string) => Promise<void>;
  /** Has a sandbox started behind its gate, whatever id that has by now. */
  startBehind: (owner: NetworkOwner, containerId: string, start: () => Promise<void>) => Promise<void>;
}

export interface GateMendingDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  gates: Pick<Gates, 'open' | 'close'>;
  /** What the gate is made with: reads what the sandbox may reach. @throws gate_failed when that cannot be read */
  requestOf: (owner: NetworkOwner) => Promise<{ request: Omit<GateRequest, 'signal' | 'onLine'>; putBack: () => Promise<void> }>;
}

const makeMs = 120_000;

/** The id of the container whose network a sandbox was made to join. Pure. */
const joinedBy = ({ networkMode }: Pick<ContainerDetails, 'networkMode'>): string | null =>
  /^container:([0-9a-f]{64})$/.exec(networkMode)?.[1] ?? null;

const isGateOf = ({ labels }: ContainerDetails, { sandboxId }: NetworkOwner): boolean =>
  labels[labelKeys.role] === 'gate' && labels[labelKeys.session] === sandboxId;

const makeAnew = async ({ gates, requestOf }: GateMendingDeps, owner: NetworkOwner, standsFor: string): Promise<void> => {
  const { request, putBack } = await requestOf(owner);
  try {
    const opened = await gates.open({ ...request, standsFor, signal: AbortSignal.timeout(makeMs), onLine: () => undefined });
    await opened.proven;
  } catch (thrown) {
    await gates.close(owner).catch(() => undefined);
    // What it may reach went with the gate; the sandbox is still there.
    await putBack();
    throw thrown;
  }
};

/** Makes the mending of one host. */
export const createGateMending = (deps: GateMendingDeps): GateMending => {
  const look = async ({ runtimeId, sandboxId }: NetworkOwner, containerId: string) => {
    const runtime = deps.runtimeOf(runtimeId);
    const [sandbox = null, gate = null] = await Promise.all([containerId, gateName(sandboxId)].map((one) => runtime.inspectContainer(one)));
    return { runtime, gate, joined: sandbox === null ? null : joinedBy(sandbox) };
  };
  return {
    remake: async (owner, containerId) => {
      const { runtime, gate, joined } = await look(owner, containerId);
      if (gate !== null || joined === null) return;
      // Renamed by somebody, or by a host that was killed while it started the sandbox.
      const renamed = await runtime.inspectContainer(joined);
      if (renamed === null) return await makeAnew(deps, owner, joined);
      if (isGateOf(renamed, owner)) await runtime.renameContainer(renamed.id, gateName(owner.sandboxId));
    },
    startBehind: async (owner, containerId, start) => {
      const { runtime, gate, joined } = await look(owner, containerId);
      if (gate === null || joined === null || joined === gate.id) return await start();
      await runtime.renameContainer(gate.id, joined);
      try {
        await start();
      } finally {
        await runtime.renameContainer(gate.id, gateName(owner.sandboxId));
      }
    },
  };
};
