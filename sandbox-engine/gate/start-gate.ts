// Makes and starts a gate's container, and takes containers away by their names.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import { type GateSpec, gateSpec } from './gate-container.ts';

const isNoIpv6 = (thrown: unknown): boolean => thrown instanceof SandlotError && /disable_ipv6/.test(thrown.message);

export interface StartedGate {
  gateId: string;
  /** Resolves when it runs. What joins its network may be made before, and is started after. */
  started: Promise<void>;
}

/** Makes and starts a gate's container on this runtime. */
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
  return async (runtime, gate) => {
    const withoutIpv6Setting = known.get(runtime.id);
    if (withoutIpv6Setting === undefined) return { gateId: await findOut(runtime, gate), started: Promise.resolve() };
    const gateId = await runtime.createContainer(gateSpec({ ...gate, withoutIpv6Setting }));
    return { gateId, started: runtime.startContainer(gateId) };
  };
};

/** Removes the container that has this name; safe to repeat. */
export const removeByName = async (runtime: ContainerRuntime, name: string): Promise<void> => {
  const found = await runtime.inspectContainer(name);
  if (found !== null) await runtime.removeContainer(found.id);
};
