// Whether a running session is under other network rules than its environment has by now. What it was granted for good is a rule of the
// environment since, and is in force for it already.
import { isSameJson } from '../base/canonical-json.ts';
import type { EgressGrant, Environment, NetworkPolicy, Session } from '../contract/model.ts';
import { policyWithGrants } from '../egress/granted-policy.ts';
import type { Registry } from '../registry/registry.ts';
import type { SandboxPolicies } from './sandbox-policies.ts';

export interface SessionRulesRooms extends Pick<SandboxPolicies, 'livePolicy'> {
  registry: Pick<Registry, 'egressGrants'>;
}

const withoutNotes = (policy: NetworkPolicy): NetworkPolicy =>
  'rules' in policy ? { version: 'v1', rules: policy.rules.map(({ note: _note, ...rule }) => rule) } : policy;

type ForGood = Pick<SessionRulesRooms, 'registry'>;

/** What it was granted for good and is not taken back, the newest first. */
const grantedForGood = async ({ registry }: ForGood, session: Session, environment: Environment): Promise<EgressGrant[]> => {
  const grants = await registry.egressGrants.list({ environmentId: environment.id, sessionId: session.id });
  return grants.filter((grant) => grant.for === 'always' && grant.session_id === session.id && grant.revoked_at === null);
};

/** Whether every revision that it is behind is one that a grant for good to this session made. */
export const isBehindByGrantsOnly = async (rooms: ForGood, session: Session, environment: Environment): Promise<boolean> => {
  const made = new Set((await grantedForGood(rooms, session, environment)).map(({ policy_revision }) => policy_revision));
  const behind = environment.revision - session.environment_revision;
  return behind <= made.size && Array.from({ length: behind }, (_, index) => environment.revision - index).every((one) => made.has(one));
};

/** Where nobody knows what it is under, its revision decides. */
export const keepsOtherRules = async (
  { registry, livePolicy }: SessionRulesRooms,
  session: Session,
  environment: Environment,
): Promise<boolean> => {
  const live = session.network === 'gate' ? livePolicy(session.id) : null;
  if (live === null) return session.environment_revision < environment.revision;
  const granted = (await grantedForGood({ registry }, session, environment)).reverse().map(({ rule }) => rule);
  return !isSameJson(withoutNotes(policyWithGrants(live.policy, live.presets, granted)), withoutNotes(environment.network_policy));
};
