// Makes and starts a gate's container and hears what it proves, and takes containers away by their names.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import { type GateSpec, gateSpec } from './gate-container.ts';
import { proveGate } from './prove-gate.ts';
import type { SelfTest } from './self-test.ts';
import { listenForTest, type ToldTest } from './told-test.ts';

const isNoIpv6 = (thrown: unknown): boolean => thrown instanceof SandlotError && /disable_ipv6/.test(thrown.message);

export interface StartedGate {
  gateId: string;
  /** Resolves when it runs and has proven itself. What joins its network may be made before, and is started after. @throws gate_failed */
  proven: Promise<SelfTest>;
}

interface BegunGate {
  gateId: string;
  started: Promise<void>;
}

/** Makes and starts a gate's container on this runtime. @throws what the runtime says when it cannot be made */
export type StartGate = (runtime: ContainerRuntime, gate: GateSpec) => Promise<StartedGate>;

const begin = async (runtime: ContainerRuntime, spec: ContainerSpec): Promise<string> => {
  const id = await runtime.createContainer(spec);
  try {
    await runtime.startContainer(id);
    return id;
  } catch (thrown) {
    await runtime.removeContainer(id).catch(() => undefined);
    throw thrown;
  }
};

const proveOnce = async (runtime: ContainerRuntime, gateId: string, started: Promise<void>, told: ToldTest | null): Promise<SelfTest> => {
  try {
    await started;
    return await proveGate(runtime, gateId, told);
  } finally {
    await told?.close();
  }
};

/**
 * A kernel without IPv6 has no setting to switch it off by, and says so when a container is started. The first gate of a runtime finds
 * out and is made anew where needed; later ones are answered while they start.
 */
export const createStartGate = (): StartGate => {
  /** Whether the setting must be left out, by runtime. */
  const known = new Map<string, boolean>();
  const findOut = async (runtime: ContainerRuntime, gate: GateSpec): Promise<string> => {
    try {
      const id = await begin(runtime, gateSpec(gate));
      known.set(runtime.id, false);
      return id;
    } catch (thrown) {
      if (!isNoIpv6(thrown)) throw thrown;
      const id = await begin(runtime, gateSpec({ ...gate, withoutIpv6Setting: true }));
      known.set(runtime.id, true);
      return id;
    }
  };
  const start = async (runtime: ContainerRuntime, gate: GateSpec): Promise<BegunGate> => {
    const withoutIpv6Setting = known.get(runtime.id);
    if (withoutIpv6Setting === undefined) return { gateId: await findOut(runtime, gate), started: Promise.resolve() };
    const gateId = await runtime.createContainer(gateSpec({ ...gate, withoutIpv6Setting }));
    return { gateId, started: runtime.startContainer(gateId) };
  };
  return async (runtime, gate) => {
    // A volume in the place of the folder is another kernel's, and no socket of this one is seen there.
    const told = gate.socketVolume === undefined ? await listenForTest(gate.place.socketFolder) : null;
    try {
      const { gateId, started } = await start(runtime, gate);
      return { gateId, proven: proveOnce(runtime, gateId, started, told) };
    } catch (thrown) {
      await told?.close();
      throw thrown;
    }
  };
};

/** Removes the container that has this name; safe to repeat. */
export const removeByName = async (runtime: ContainerRuntime, name: string): Promise<void> => {
  const found = await runtime.inspectContainer(name);
  if (found !== null) await runtime.removeContainer(found.id);
};
