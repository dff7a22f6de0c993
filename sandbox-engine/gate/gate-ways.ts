// Over which way a gate reaches the host: sockets in a mounted folder, or a carrier over TCP where the runtime is under another kernel and
// cannot see the sockets. Chosen when a gate is opened, read from the gate ever after; a runtime that turns out not to see them is told of
// and remembered, never quietly worked around.
// Source: NETWORK.md 3.3.
import { SandlotError } from '../base/errors.ts';
import type { ContainerDetails, ContainerRuntime } from '../container/container-runtime.ts';
import type { NetworkOwner } from '../container/sandbox-network.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import { socketTarget } from './addresses.ts';
import { socketVolumeName } from './carrier-container.ts';
import type { Carriers } from './carriers.ts';

export type GateWay = 'socket' | 'tcp';

export interface GateWays {
  /** The way of new gates on a runtime. */
  of: (runtimeId: string) => Promise<GateWay>;
  /** Has the host listen for a gate, at its sockets or where its carrier connects to. @throws gate_failed */
  listen: (gate: ListeningGate, socketFolder: string) => Promise<void>;
  /** Looks at why a gate was not proven: the next one on this runtime takes the other way where this one leads nowhere. */
  note: (runtimeId: string, thrown: unknown) => void;
}

/** A gate, and how to have the host listen for it. */
export interface ListeningGate extends NetworkOwner {
  way: GateWay;
  /** What its carrier is made of. */
  imageId: string;
  listen: (socketFolder: string, carried?: CarriedPlace) => Promise<void>;
}

/** The way of a gate that stands. */
export const wayOfGate = ({ mounts }: ContainerDetails): GateWay =>
  mounts.some(({ type, target }) => type === 'volume' && target === socketTarget) ? 'tcp' : 'socket';

/** What a gate's container needs to be told of its way. */
export const volumeFor = (way: GateWay, sandboxId: string): { socketVolume?: string } =>
  way === 'tcp' ? { socketVolume: socketVolumeName(sandboxId) } : {};

const isBlind = (thrown: unknown): boolean =>
  thrown instanceof SandlotError &&
  thrown.code === 'gate_failed' &&
  ((thrown.details.checks ?? []) as { name: string; passed: boolean }[]).some(({ name, passed }) => name === 'socket' && !passed);

interface GateWaysDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  carriers: Carriers;
  /** What a person or a test has said, for every runtime. */
  forced?: GateWay;
}

/** Makes the ways of one host. */
export const createGateWays = ({ runtimeOf, carriers, forced }: GateWaysDeps): GateWays => {
  const blind = new Set<string>();
  return {
    of: async (runtimeId) => {
      if (forced !== undefined) return forced;
      return blind.has(runtimeId) || (await runtimeOf(runtimeId).info()).isElsewhere ? 'tcp' : 'socket';
    },
    listen: async (gate, socketFolder) => {
      if (gate.way === 'socket') return await gate.listen(socketFolder);
      await carriers.raise(gate, gate.imageId, (carried) => gate.listen(socketFolder, carried));
    },
    note: (runtimeId, thrown) => {
      if (isBlind(thrown)) blind.add(runtimeId);
    },
  };
};
