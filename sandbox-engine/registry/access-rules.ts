// Who may change what a sandbox can reach: proof of what was seen, and combinations that are never saved.
// Source: SPEC.md 2 (expected_access); RFC 6585 (428), RFC 9110 13.1 (412).
import { isSameJson } from '../base/canonical-json.ts';
import { SandlotError } from '../base/errors.ts';
import type { NetworkPolicy } from '../contract/model.ts';

export interface Access {
  network_policy: NetworkPolicy;
  privileged: boolean;
}

/** Only `{}` opens the network; anything else restricts it. */
const isUnrestricted = (policy: NetworkPolicy): boolean => Object.keys(policy).length === 0;

/** @throws invalid_request for a privileged sandbox with a restricted network: it could lift the restriction by itself. */
export const refusePrivilegedWithPolicy = (access: Access): void => {
  if (!access.privileged || isUnrestricted(access.network_policy)) return;
  throw new SandlotError(
    'invalid_request',
    'Privileged Docker requires unrestricted access: a privileged sandbox could lift its own network policy. Set "privileged" to false, or "network_policy" to {}.',
    { details: { path: '/privileged', code: 'privileged_conflict' }, nextAction: 'Send "privileged": false, or "network_policy": {}.' },
  );
};

const refuseWithoutProof = (stored: Access): never => {
  throw new SandlotError(
    'precondition_required',
    'This changes what the environment can reach. Send "expected_access" with the network_policy and privileged that you saw.',
    {
      details: { path: '/expected_access', current_access: stored },
      nextAction: 'Read the environment, then send expected_access with what it says; on the command line: --accept-access.',
    },
  );
};

/** Checks a change of access against what is stored and what the client says it saw.
 *  @throws precondition_failed @throws invalid_request @throws precondition_required */
export const checkAccessChange = (stored: Access, wanted: Access, expected: Access | undefined): void => {
  if (expected !== undefined && !isSameJson(expected, stored)) {
    throw new SandlotError(
      'precondition_failed',
      'The access of this environment is no longer what "expected_access" says: it was changed meanwhile. Read it again and decide anew.',
      { details: { path: '/expected_access', current_access: stored }, nextAction: 'Read the environment again, then repeat the change.' },
    );
  }
  const changesPolicy = !isSameJson(stored.network_policy, wanted.network_policy);
  if (!changesPolicy && stored.privileged === wanted.privileged) return;
  refusePrivilegedWithPolicy(wanted);
  const turnsPrivilegedOn = wanted.privileged && !stored.privileged;
  const changesRestriction = changesPolicy && !isUnrestricted(stored.network_policy);
  if (expected === undefined && (turnsPrivilegedOn || changesRestriction)) refuseWithoutProof(stored);
};
