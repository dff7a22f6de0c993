// Keeps one gate ready on each runtime where sessions stand behind gates, so that the next launch does not wait for its own. Until a session
// takes it, the proxy listens for it under a policy that allows nothing. It keeps no host alive and ends with it.
import { setTimeout as pause } from 'node:timers/promises';
import type { NewId } from '../base/ids.ts';
import { type ReservedNetwork, type SandboxNetworks, wayOf } from '../container/sandbox-network.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import type { Gates } from '../gate/gates.ts';
import type { House } from './house.ts';
import type { SandboxPolicies } from './sandbox-policies.ts';

export interface GateKeeper extends Pick<SandboxNetworks, 'takeReady' | 'reserve'> {
  /** Has one made ready in a while, unless one is or the gate's image would have to be made first. */
  refill: (runtimeId: string) => void;
  /** Removes those that nobody took. */
  stop: () => Promise<void>;
}

export interface GateKeeperDeps {
  gates: Pick<Gates, 'hasImage' | 'hasReady' | 'takeReady' | 'prepare' | 'closeReady'>;
  policies: Pick<SandboxPolicies, 'open' | 'close'>;
  newId: NewId;
}

/** What has just been launched goes first: it carries in files and starts its programs. */
const quietMs = 2_000;

const nothingAllowed = { environmentId: '', policy: { version: 'v1' as const, rules: [] }, presets: {}, revision: 0 };

/** Makes the keeper of one host's gates. */
export const createGateKeeper = ({ gates, policies, newId }: GateKeeperDeps): GateKeeper => {
  const abort = new AbortController();
  const making = new Map<string, Promise<void>>();

  const prepare = async (runtimeId: string, isReserved: boolean): Promise<ReservedNetwork> => {
    const sandboxId = newId('ses');
    const listen = (socketFolder: string, carried?: CarriedPlace) =>
      policies.open({ sandboxId, socketFolder, ...nothingAllowed, ...(carried === undefined ? {} : { carried }) });
    try {
      const request = { runtimeId, sandboxId, kind: 'session' as const, ports: [], signal: abort.signal, onLine: () => undefined, listen };
      return { sandboxId, join: await gates.prepare(request, isReserved) };
    } catch (thrown) {
      await policies.close(sandboxId);
      throw thrown;
    }
  };

  const make = async (runtimeId: string): Promise<void> => {
    await pause(quietMs, undefined, { signal: abort.signal, ref: false });
    if (!gates.hasReady(runtimeId) && (await gates.hasImage(runtimeId))) await prepare(runtimeId, false);
  };

  return {
    takeReady: gates.takeReady,
    reserve: async (runtimeId) => (!abort.signal.aborted && (await gates.hasImage(runtimeId)) ? await prepare(runtimeId, true) : null),
    refill: (runtimeId) => {
      if (making.has(runtimeId) || abort.signal.aborted) return;
      // The next launch makes its own gate, and says what is wrong.
      const made = make(runtimeId).catch(() => undefined);
      making.set(
        runtimeId,
        made.finally(() => making.delete(runtimeId)),
      );
    },
    stop: async () => {
      abort.abort();
      await Promise.all(making.values());
      await gates.closeReady();
    },
  };
};

/** As many of the newest environments are looked at when a host starts. */
const mostEnvironments = 100;

/** Has gates made ready where environments with rules are. */
export const keepGatesReady = async ({ registry, networks }: Pick<House, 'registry' | 'networks'>): Promise<void> => {
  const { environments } = await registry.environments.list({ limit: mostEnvironments, includeArchived: false });
  const ruled = environments.filter(({ network_policy }) => wayOf(network_policy) === 'gate');
  for (const runtimeId of new Set(ruled.map(({ runtime }) => runtime))) networks.refill(runtimeId);
};
