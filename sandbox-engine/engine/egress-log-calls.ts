// The calls about what sandboxes tried to reach: the log, its sums, grants, a policy tried on the past, a policy made from it.
// Source: SPEC.md 6 and 12.
import { SandlotError } from '../base/errors.ts';
import type { CallArguments } from '../contract/calls.ts';
import type { ContactedDestination, EgressOutcome, Environment, KeptAttempt, LoggedAttempt, ResolvedPresets } from '../contract/model.ts';
import type { OwnAddresses } from '../egress/address.ts';
import { checkPolicy } from '../egress/check-policy.ts';
import { explainAttempt, insteadOfAttempt } from '../egress/explain.ts';
import { type CompiledPolicy, compilePolicy } from '../egress/policy.ts';
import { proposePolicy } from '../egress/propose-policy.ts';
import { replayPolicy } from '../egress/replay-policy.ts';
import { sumDestinations } from '../egress/sum-destinations.ts';
import type { EgressFilter, Registry } from '../registry/registry.ts';
import type { Grants } from './egress-grants.ts';
import { findEnvironment, type Handlers } from './house.ts';
import { readPolicy } from './read-policy.ts';

export interface EgressLogRooms {
  registry: Registry;
  presetsFor: (environment: Environment) => Promise<ResolvedPresets>;
  /** The addresses of this computer, of now. */
  own: () => OwnAddresses;
}

const defaults = { attempts: 500, destinations: 500 };

type Scope = Pick<CallArguments<'egress.log'>, 'environment_id' | 'session_id' | 'setup_run_id' | 'verdict' | 'text'>;

const filterOf = ({ environment_id, session_id, setup_run_id, verdict, text }: Scope): EgressFilter => ({
  environmentId: environment_id,
  sandboxId: session_id ?? setup_run_id,
  verdict,
  text,
});

const nothing: CompiledPolicy = compilePolicy({ version: 'v1', rules: [] }, {});

const compiledOf = async ({ presetsFor, own }: EgressLogRooms, environment: Environment | null): Promise<CompiledPolicy> => {
  if (environment === null) return nothing;
  try {
    return compilePolicy(environment.network_policy, await presetsFor(environment), own);
  } catch {
    // A policy that cannot be read opens nothing; who wants to know that reads the environment.
    return nothing;
  }
};

const insteadIn = (attempt: KeptAttempt): Pick<LoggedAttempt, 'instead'> => {
  const instead = insteadOfAttempt(attempt);
  return instead === undefined ? {} : { instead };
};

/** Adds to each attempt, in a person's words, what became of it. */
export const tellAttempts = async (rooms: EgressLogRooms, attempts: readonly KeptAttempt[]): Promise<LoggedAttempt[]> => {
  const policies = new Map<string, CompiledPolicy>();
  for (const id of new Set(attempts.map(({ environment_id }) => environment_id))) {
    policies.set(id, await compiledOf(rooms, await rooms.registry.environments.find(id)));
  }
  return attempts.map((attempt) => ({
    ...attempt,
    sentence: explainAttempt(policies.get(attempt.environment_id) ?? nothing, attempt),
    ...insteadIn(attempt),
  }));
};

/** The one environment that a scope is about; null for several or one that is gone. */
const environmentOf = async ({ registry }: EgressLogRooms, scope: Scope): Promise<Environment | null> => {
  const ofSession = scope.session_id === undefined ? null : await registry.sessions.find(scope.session_id);
  const ofRun = scope.setup_run_id === undefined ? null : await registry.setupRuns.find(scope.setup_run_id);
  const id = scope.environment_id ?? ofSession?.environment_id ?? ofRun?.environment_id;
  return id === undefined ? null : await registry.environments.find(id);
};

const sum = (destinations: readonly ContactedDestination[], outcome: EgressOutcome): number =>
  destinations.reduce((total, destination) => total + destination[outcome], 0);

const summary = async (rooms: EgressLogRooms, { limit = defaults.destinations, ...scope }: CallArguments<'egress.summary'>) => {
  const environment = await environmentOf(rooms, scope);
  const tallies = await rooms.registry.egressLog.tallies(filterOf(scope));
  const all = sumDestinations(tallies, environment === null ? null : await compiledOf(rooms, environment));
  const destinations = all.slice(0, limit);
  return {
    destinations,
    ...{ allowed: sum(all, 'allowed'), blocked: sum(all, 'blocked'), failed: sum(all, 'failed') },
    left_off: all.length - destinations.length,
  };
};

const replay = async (rooms: EgressLogRooms, { environment_id, network_policy }: CallArguments<'egress.replay'>) => {
  const environment = await findEnvironment(rooms, environment_id);
  const presets = await rooms.presetsFor(environment);
  const policy = readPolicy(network_policy, { stored: environment.network_policy, presets });
  const tallies = await rooms.registry.egressLog.tallies({ environmentId: environment_id });
  return replayPolicy(compilePolicy(policy, presets, rooms.own), await compiledOf(rooms, environment), tallies);
};

const propose = async (rooms: EgressLogRooms, { include_blocked, ...scope }: CallArguments<'egress.propose'>) => {
  if (Object.values(scope).every((id) => id === undefined)) {
    throw new SandlotError('invalid_request', 'Say from what: a setup run, a session or an environment.', { details: { path: '' } });
  }
  const tallies = await rooms.registry.egressLog.tallies(filterOf(scope));
  const environment = await environmentOf(rooms, scope);
  const inForce = environment === null ? null : await compiledOf(rooms, environment);
  const { policy, destinations, leftOut } = proposePolicy(tallies, { inForce, includeBlocked: include_blocked ?? false });
  const checked = checkPolicy(policy);
  if (!checked.ok) {
    throw new SandlotError('invalid_request', `What was contacted does not fit into one policy: ${checked.errors[0]?.message ?? ''}`, {
      details: { path: '', problems: checked.errors },
      nextAction: 'Take a single setup run or session.',
    });
  }
  return { policy: checked.policy, warnings: checked.warnings, destinations, left_out: leftOut };
};

/** The handlers of these calls. */
export type LogHandlers = Pick<
  Handlers,
  'egress.log' | 'egress.summary' | 'egress.grant' | 'egress.revoke' | 'egress.grants' | 'egress.replay' | 'egress.propose'
>;

/** Makes the handlers. */
export const createEgressLogCalls = (rooms: EgressLogRooms, grants: Grants): LogHandlers => {
  const { registry } = rooms;
  return {
    'egress.log': async ({ after, limit = defaults.attempts, ...scope }) => {
      const filter = filterOf(scope);
      const [page, older] = await Promise.all([
        registry.egressLog.list({ ...filter, after, limit }),
        registry.egressLog.olderCount(filter),
      ]);
      return { attempts: await tellAttempts(rooms, page.attempts), next_after: page.nextAfter, older };
    },
    'egress.summary': (asked) => summary(rooms, asked),
    'egress.grant': (asked) => grants.grant(asked),
    'egress.revoke': ({ grant_id }) => grants.revoke(grant_id),
    'egress.grants': async ({ environment_id, session_id }) => ({
      grants: await registry.egressGrants.list({ environmentId: environment_id, sessionId: session_id }),
    }),
    'egress.replay': (asked) => replay(rooms, asked),
    'egress.propose': (asked) => propose(rooms, asked),
  };
};
