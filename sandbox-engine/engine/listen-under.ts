// Has the policy proxy listen for a sandbox under what it may reach, with the addresses that its names have.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkPolicy } from '../contract/model.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import type { GatePlaces } from '../gate/gate-place.ts';
import type { KeptNames } from './kept-names.ts';
import { type KeptPolicy, readKept } from './kept-policy.ts';
import type { SandboxPolicies } from './sandbox-policies.ts';

/** What nothing of a policy is put in place of. */
export const closedPolicy: NetworkPolicy = { version: 'v1', rules: [] };

/** Caught for an observed sandbox where a kernel cannot catch all. */
const usualPorts = [22, 8080, 8443];

/** The ports to catch where a kernel cannot catch all. Pure. */
export const caughtPorts = (policy: NetworkPolicy, observe: boolean | undefined): number[] => [
  ...('rules' in policy ? policy.rules.flatMap(({ ports }) => ports ?? []) : []),
  ...(observe === true ? usualPorts : []),
];

/** What is kept of the sandboxes: their policies, and the addresses of their names. */
export interface Keeping {
  policies: SandboxPolicies;
  places: GatePlaces;
  names: KeptNames;
}

/** Where the proxy is to listen for a sandbox. */
export interface Listening {
  socketFolder: string;
  carried: CarriedPlace | undefined;
}

/** Has the proxy listen for a sandbox, under this policy. */
export const listenUnder = async (
  { policies, places, names }: Keeping,
  sandboxId: string,
  { socketFolder, carried }: Listening,
  kept: KeptPolicy,
): Promise<void> => {
  const file = places.of(sandboxId).namesFile;
  const onName = (name: string, address: string) => names.add(file, name, address);
  const at = carried === undefined ? { socketFolder } : { socketFolder, carried };
  await policies.open({ sandboxId, ...at, ...kept, names: await names.read(file), onName });
};

/** Has the proxy listen for a sandbox that was there before, unless it does. */
export const listenAgain = async (keeping: Keeping, sandboxId: string, at: Listening): Promise<void> => {
  const isThere = at.carried !== undefined || existsSync(join(at.socketFolder, 'proxy.sock'));
  if (keeping.policies.isListening(sandboxId, at.carried) && isThere) return;
  await listenUnder(keeping, sandboxId, at, await readKept(keeping.places.of(sandboxId).policyFile));
};
