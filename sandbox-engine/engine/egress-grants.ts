// Grants: a person allows one destination for a session, for a while, or for good. What runs gets it at once; who and when is kept.
// Source: SPEC.md 6 (grants).
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { NewId } from '../base/ids.ts';
import { threadTime } from '../base/thread-time.ts';
import type { CallArguments, CallOutput, EnvironmentPatch } from '../contract/calls.ts';
import { outcomeOf } from '../contract/egress-outcome.ts';
import type {
  EgressGrant,
  Environment,
  Explanation,
  NetworkPolicy,
  NetworkRule,
  PolicyWarning,
  ResolvedPresets,
} from '../contract/model.ts';
import type { OwnAddresses } from '../egress/address.ts';
import { checkPolicy } from '../egress/check-policy.ts';
import { explain } from '../egress/explain.ts';
import { insertRule } from '../egress/insert-rule.ts';
import type { Grant, SandboxPolicy } from '../egress/loaded-policy.ts';
import { compilePolicy, decide } from '../egress/policy.ts';
import { blockedByWhatWasSeen } from '../egress/seen-reasons.ts';
import type { Registry } from '../registry/registry.ts';
import type { GrantTimes } from './grant-times.ts';
import { findEnvironment } from './house.ts';

export interface GrantDeps {
  registry: Pick<Registry, 'environments' | 'sessions' | 'setupRuns' | 'egressGrants'>;
  bus: EventBus;
  clock: Clock;
  grantTimes: GrantTimes;
  newId: NewId;
  /** Who uses this host. */
  user: () => string;
  presetsFor: (environment: Environment) => Promise<ResolvedPresets>;
  /** The addresses of this computer, of now. */
  own: () => OwnAddresses;
  /** What a sandbox that is up behind the proxy may reach now; null when it is not. */
  livePolicy: (sandboxId: string) => SandboxPolicy | null;
  /** Puts what it is granted now, and nothing else, over the policy of such a sandbox; false when it is not up. */
  applyGrants: (sandboxId: string) => Promise<boolean>;
  updateEnvironment: (id: string, patch: EnvironmentPatch) => Promise<Environment>;
}

export interface Grants {
  grant: (asked: CallArguments<'egress.grant'>) => Promise<CallOutput<'egress.grant'>>;
  /** @throws not_found @throws invalid_request for one that became a rule */
  revoke: (id: string) => Promise<EgressGrant>;
}

const quarterMs = 15 * 60_000;

/** Whose access is asked about. */
interface Scope {
  environment: Environment;
  sessionId: string | null;
}

/** What would be done. */
interface Plan {
  rule: NetworkRule;
  destination: string;
  /** The change of the environment's policy, when there is one. */
  change: { policy: NetworkPolicy; at: number; warnings: PolicyWarning[] } | null;
}

const scopeOf = async ({ registry }: GrantDeps, asked: CallArguments<'egress.grant'>): Promise<Scope> => {
  const { session_id, environment_id } = asked;
  if (session_id !== undefined) {
    const session = await registry.sessions.find(session_id);
    if (session === null) throw new SandlotError('not_found', `There is no session "${session_id}".`);
    return { environment: await findEnvironment({ registry }, session.environment_id), sessionId: session_id };
  }
  if (asked.for === 'session' || environment_id === undefined) {
    throw new SandlotError('invalid_request', 'A grant needs the session, or for a while and for good the environment, that it is for.', {
      details: { path: asked.for === 'session' ? '/session_id' : '/environment_id' },
    });
  }
  return { environment: await findEnvironment({ registry }, environment_id), sessionId: null };
};

const refuse = (said: Explanation): never => {
  const { sentence, verdict, instead } = said;
  const why = outcomeOf(said) === 'failed' ? 'No rule helps.' : 'No rule can allow it.';
  const isSaid = sentence.includes('no rule can allow');
  const message = verdict === 'allowed' ? `${sentence} There is nothing to grant.` : isSaid ? sentence : `${sentence} ${why}`;
  throw new SandlotError('invalid_request', message, {
    details: { path: '/destination' },
    ...(instead === undefined ? {} : { nextAction: instead }),
  });
};

/** What a policy says about the destination; a reason that only the connection showed counts where it would still block. */
const explainUnder = (
  { own }: Pick<GrantDeps, 'own'>,
  { policy, presets }: Pick<SandboxPolicy, 'policy' | 'presets'>,
  asked: CallArguments<'egress.grant'>,
): Explanation => {
  const compiled = compilePolicy(policy, presets, own);
  const plain = explain(compiled, asked.destination);
  const { host, port } = plain;
  if (asked.reason === undefined || host === null || port === null) return plain;
  const attempt = { port, protocol: 'unknown', verdict: 'blocked', reason: asked.reason } as const;
  return explain(compiled, { host, port }, blockedByWhatWasSeen(decide(compiled, { host, port }), attempt));
};

/** What a person should know about the new rule alone, at its place. */
const warningsOf = (rule: NetworkRule, presets: ResolvedPresets, at: number): PolicyWarning[] => {
  const alone = checkPolicy({ version: 'v1', rules: [rule] }, presets);
  return alone.ok ? alone.warnings.map((one) => ({ ...one, path: one.path.replace(/^\/rules\/0/, `/rules/${at}`) })) : [];
};

/** @throws invalid_request when the policy has no room for it */
const planChange = (policy: NetworkPolicy, presets: ResolvedPresets, rule: NetworkRule, at: number): NonNullable<Plan['change']> => {
  const inserted = insertRule(policy, rule, at);
  const checked = checkPolicy(inserted.policy, presets);
  if (checked.ok) return { policy: checked.policy, at: inserted.at, warnings: warningsOf(rule, presets, inserted.at) };
  throw new SandlotError('invalid_request', checked.errors.map(({ message }) => message).join(' '), {
    details: { path: '/destination', problems: checked.errors },
  });
};

const planFor = async (deps: GrantDeps, { environment, sessionId }: Scope, asked: CallArguments<'egress.grant'>): Promise<Plan> => {
  const presets = await deps.presetsFor(environment);
  const stored = explainUnder(deps, { policy: environment.network_policy, presets }, asked);
  const live = sessionId === null ? null : deps.livePolicy(sessionId);
  // A session keeps the policy that it began with, so that it may need what the environment has meanwhile.
  const needed = live === null ? stored : explainUnder(deps, live, asked);
  const rule = needed.how_to_allow ?? stored.how_to_allow;
  if (rule === null) return refuse(needed);
  const { how_to_allow, insert_at } = stored;
  const isForGood = asked.for === 'always' && how_to_allow !== null && insert_at !== null;
  return {
    rule,
    destination: needed.destination,
    change: isForGood ? planChange(environment.network_policy, presets, how_to_allow, insert_at) : null,
  };
};

/** One for good that belongs to no session is nothing but a rule. */
const becameRule = ({ for: term, session_id }: EgressGrant): boolean => term === 'always' && session_id === null;

const isFor = ({ for: term, session_id }: EgressGrant, sandboxId: string): boolean =>
  session_id === sandboxId || (session_id === null && term !== 'always');

/** Sandboxes that may be up: those that are not fall away when the grant is applied. */
const sandboxesOf = async ({ registry }: GrantDeps, { environment_id, session_id }: EgressGrant): Promise<string[]> => {
  if (session_id !== null) return [session_id];
  const [sessions, runs] = await Promise.all([registry.sessions.list(environment_id), registry.setupRuns.listUnfinished()]);
  const alive = sessions.filter(({ status }) => status === 'running' || status === 'starting');
  return [...alive, ...runs.filter((run) => run.environment_id === environment_id)].map(({ id }) => id);
};

/** What a sandbox is granted now beside its policy. */
export const activeGrants = async (
  { registry, grantTimes }: { registry: Pick<Registry, 'egressGrants'>; grantTimes: GrantTimes },
  sandboxId: string,
  environmentId: string,
): Promise<Grant[]> => {
  const all = await registry.egressGrants.list({ environmentId });
  return all.flatMap((grant) => {
    const leftMs = grantTimes.leftMs(grant);
    if (grant.revoked_at !== null || !(leftMs > 0) || !isFor(grant, sandboxId)) return [];
    return [{ rule: grant.rule, until: grant.until, endsAt: threadTime() + leftMs }];
  });
};

/** Keeps and tells a grant, and gives running sandboxes what they are granted now; answers which it reached. */
const put = async (deps: GrantDeps, grant: EgressGrant): Promise<string[]> => {
  // Its time runs from now, also where no sandbox is up.
  deps.grantTimes.leftMs(grant);
  await deps.registry.egressGrants.save(grant);
  deps.bus.emit('grant.changed', grant);
  if (becameRule(grant)) return [];
  const reached: string[] = [];
  for (const id of await sandboxesOf(deps, grant)) {
    if (await deps.applyGrants(id)) reached.push(id);
  }
  return reached;
};

const give = async (deps: GrantDeps, asked: CallArguments<'egress.grant'>): Promise<CallOutput<'egress.grant'>> => {
  const { clock } = deps;
  const scope = await scopeOf(deps, asked);
  const { environment, sessionId } = scope;
  const { rule, destination, change } = await planFor(deps, scope, asked);
  const planned = { rule, insert_at: change?.at ?? null, network_policy: change?.policy ?? null, warnings: change?.warnings ?? [] };
  if (asked.preview === true) return { ...planned, grant: null, applied_to: [] };
  const patch = { revision: environment.revision, ...(asked.expected_access && { expected_access: asked.expected_access }) };
  const changed = change && (await deps.updateEnvironment(environment.id, { ...patch, network_policy: change.policy }));
  const grant: EgressGrant = {
    id: deps.newId('grt'),
    ...{ environment_id: environment.id, session_id: sessionId, destination, rule, for: asked.for },
    ...{ granted_at: clock.iso(), granted_by: deps.user(), revoked_at: null },
    until: asked.for === '15m' ? new Date(clock.now() + quarterMs).toISOString() : null,
    policy_revision: changed?.revision ?? null,
  };
  return { ...planned, grant, applied_to: await put(deps, grant) };
};

const revoke = async (deps: GrantDeps, id: string): Promise<EgressGrant> => {
  const grant = await deps.registry.egressGrants.find(id);
  if (grant === null) throw new SandlotError('not_found', `There is no grant "${id}".`);
  if (grant.revoked_at !== null) return grant;
  if (becameRule(grant)) {
    throw new SandlotError('invalid_request', `${grant.destination} was allowed for good: it is a rule of the environment's policy now.`, {
      nextAction: 'Take the rule out of the network policy.',
    });
  }
  const revoked = { ...grant, revoked_at: deps.clock.iso() };
  await put(deps, revoked);
  return revoked;
};

/** Makes the grants of one host. */
export const createGrants = (deps: GrantDeps): Grants => ({
  grant: (asked) => give(deps, asked),
  revoke: (id) => revoke(deps, id),
});
