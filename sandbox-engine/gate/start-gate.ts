// Makes and starts a gate's container, and takes containers away by their names.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import { type GateSpec, gateSpec } from './gate-container.ts';

const isNoIpv6 = (thrown: unknown): boolean => thrown instanceof SandlotError && /disable_ipv6/.test(thrown.message);

/** Creates and starts; a kernel without IPv6 has no setting to switch it off by. Answers the id. */
export const startGate = async (runtime: ContainerRuntime, gate: GateSpec): Promise<string> => {
  const begin = async (spec: ContainerSpec): Promise<string> => {
    const id = await runtime.createContainer(spec);
    try {
      await runtime.startContainer(id);
      return id;
    } catch (thrown) {
      await runtime.removeContainer(id).catch(() => undefined);
      throw thrown;
    }
  };
  try {
    return await begin(gateSpec(gate));
  } catch (thrown) {
    if (!isNoIpv6(thrown)) throw thrown;
    return await begin(gateSpec({ ...gate, withoutIpv6Setting: true }));
  }
};

/** Removes the container that has this name; safe to repeat. */
export const removeByName = async (runtime: ContainerRuntime, name: string): Promise<void> => {
  const found = await runtime.inspectContainer(name);
  if (found !== null) await runtime.removeContainer(found.id);
};
