// Puts together what the host knows of its sandboxes' network: the book of attempts, the policies that are in force, grants, and the calls.
import { userInfo } from 'node:os';
import type { EnvironmentPatch } from '../contract/calls.ts';
import type { Environment } from '../contract/model.ts';
import type { OwnAddresses } from '../egress/address.ts';
import { watchOwnAddresses } from '../egress/own-addresses.ts';
import { createPolicyProxy, type PolicyProxyOptions } from '../egress/policy-proxy.ts';
import { type CanaryWatch, createCanaryWatch } from './canary-watch.ts';
import { createEgressBook, type EgressBook } from './egress-book.ts';
import { createGrants } from './egress-grants.ts';
import { createEgressLogCalls, type EgressLogRooms, type LogHandlers, tellAttempts } from './egress-log-calls.ts';
import { createGrantTimes } from './grant-times.ts';
import type { Ground } from './house.ts';
import { createSandboxPolicies, type SandboxPolicies } from './sandbox-policies.ts';

export interface EgressDesk {
  book: EgressBook;
  policies: SandboxPolicies;
  canaries: CanaryWatch;
  /** The addresses of this computer, as the proxy knows them. */
  own: () => OwnAddresses;
  calls: (updateEnvironment: (id: string, patch: EnvironmentPatch) => Promise<Environment>) => LogHandlers;
  /** Ends the proxy and waits until all that was tried is written. */
  close: () => Promise<void>;
}

// Not every system has a name for its user.
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};

/** Opens the desk of one host; what is deleted with an environment is forgotten here too. */
export const openEgressDesk = (ground: Ground, upstream?: PolicyProxyOptions['upstream']): EgressDesk => {
  const { registry, bus, clock, newId, presets } = ground;
  const given: OwnAddresses = { interfaces: [], gateways: [], ownPorts: [] };
  const own = watchOwnAddresses(() => given);
  const rooms: EgressLogRooms = { registry, presetsFor: presets.of, own };
  const canaries = createCanaryWatch();
  const grantTimes = createGrantTimes(clock);
  const policies = createSandboxPolicies({
    registry,
    grantTimes,
    startProxy: (onName) =>
      createPolicyProxy({
        onName,
        onAttempts: (batch) => book.take(canaries.sift(batch)),
        own: given,
        ...(upstream === undefined ? {} : { upstream }),
        onCrash: ({ message }) =>
          bus.emit('notice', {
            level: 'warning',
            message: `The policy proxy ended and is started again; nothing passed meanwhile. ${message}`,
          }),
      }),
  });
  const book = createEgressBook({
    ...{ registry, bus, now: clock.now, flush: policies.flush, redactText: ground.secrets.redactText },
    tell: (attempts) => tellAttempts(rooms, attempts),
  });
  bus.subscribe((event) => {
    if (event.name !== 'environment.removed') return;
    // What cannot be written now stays, bounded, and nobody can ask for it by name any more.
    registry.egressLog.forget(event.payload.id).catch(() => undefined);
  });
  return {
    book,
    policies,
    canaries,
    own,
    calls: (updateEnvironment) =>
      createEgressLogCalls(
        rooms,
        createGrants({
          ...{ registry, bus, clock, grantTimes, newId, presetsFor: presets.of, own, updateEnvironment, user: userName },
          ...{ livePolicy: policies.livePolicy, applyGrants: policies.applyGrants },
        }),
      ),
    close: async () => {
      await policies.stop();
      await book.settled();
    },
  };
};
