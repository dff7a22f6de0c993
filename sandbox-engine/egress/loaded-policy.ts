// The policy of one sandbox as the proxy uses it: the compiled rules, and grants that allow more for a while.
import { createSteadyTime } from '../base/steady-time.ts';
import { threadTime } from '../base/thread-time.ts';
import type { NetworkRule } from '../contract/model/network.ts';
import type { NetworkPolicy, ResolvedPresets } from '../contract/model.ts';
import type { OwnAddresses } from './address.ts';
import { observedDecision } from './observed.ts';
import { type CompiledPolicy, compilePolicy, type Decision, type Destination, decide } from './policy.ts';

/** A rule that a person allowed beside the policy. It ends at the first of two times; for as long as the sandbox lives there is none. */
export interface Grant {
  rule: NetworkRule;
  /** An ISO time, or null. */
  until: string | null;
  /** By `threadTime`, which nobody can set back; or infinite. */
  endsAt: number;
}

/** What one sandbox may reach. Data only: it crosses to the worker. */
export interface SandboxPolicy {
  policy: NetworkPolicy;
  presets: ResolvedPresets;
  /** Revision of the policy, as it stands in attempts. */
  revision: number;
  grants?: Grant[];
  /** Everything public passes too, but for what a rule denies. */
  observe?: boolean;
  /** Another policy that has to allow it as well: while one sandbox takes the place of another, neither gets more than it has. */
  within?: Pick<SandboxPolicy, 'policy' | 'presets'> | null;
}

export interface LoadedPolicy {
  revision: number;
  compiled: CompiledPolicy;
  grants: { compiled: CompiledPolicy; untilMs: number }[];
  observes: boolean;
  within: CompiledPolicy | null;
  /** Decisions of the policy that were made before, by host and port. */
  decided: Map<string, Decision>;
}

const mostDecided = 4_096;

/** The time by which grants end in this thread. */
export const grantTime = createSteadyTime(Date.now, threadTime);

const loadGrant = ({ rule, until, endsAt }: Grant, presets: ResolvedPresets, own?: () => OwnAddresses): LoadedPolicy['grants'][number] => {
  const byDay = until === null ? Number.POSITIVE_INFINITY : Date.parse(until) - Date.now();
  const untilMs = grantTime() + Math.min(byDay, endsAt - threadTime());
  // A time that cannot be read is over.
  return { compiled: compilePolicy({ version: 'v1', rules: [rule] }, presets, own), untilMs: Number.isNaN(untilMs) ? 0 : untilMs };
};

/** Makes a policy ready. @throws network_policy_not_supported */
export const loadPolicy = (
  { policy, presets, revision, grants = [], observe = false, within = null }: SandboxPolicy,
  own?: () => OwnAddresses,
): LoadedPolicy => ({
  revision,
  compiled: compilePolicy(policy, presets, own),
  grants: grants.map((grant) => loadGrant(grant, presets, own)),
  observes: observe,
  within: within === null ? null : compilePolicy(within.policy, within.presets, own),
  decided: new Map(),
});

const decideOnce = ({ compiled, decided, observes }: LoadedPolicy, destination: Destination): Decision => {
  const key = `${destination.host} ${destination.port}`;
  const known = decided.get(key);
  if (known !== undefined) return known;
  if (decided.size >= mostDecided) decided.clear();
  const byRules = decide(compiled, destination);
  const decision = observes ? observedDecision(byRules, destination) : byRules;
  // The addresses of this computer change.
  if (decision.reason !== 'special_address') decided.set(key, decision);
  return decision;
};

const decideAlone = (loaded: LoadedPolicy, destination: Destination, nowMs: number): Decision => {
  for (const { compiled, untilMs } of loaded.grants) {
    if (untilMs <= nowMs) continue;
    const decision = decide(compiled, destination);
    if (decision.verdict === 'allowed') return { ...decision, rule: null };
  }
  return decideOnce(loaded, destination);
};

/** Decides a destination: a grant first, since a person gave it for what the policy blocks. No rule stands for a grant. */
export const decideLoaded = (loaded: LoadedPolicy, destination: Destination, nowMs: number): Decision => {
  const decision = decideAlone(loaded, destination, nowMs);
  if (loaded.within === null || decision.verdict === 'blocked') return decision;
  const other = decide(loaded.within, destination);
  // Its rules are not those that the log numbers.
  if (other.verdict === 'blocked') return { ...other, reason: other.rule === null ? other.reason : 'no_rule', rule: null };
  const protocol = decision.protocol === other.protocol ? decision.protocol : 'auto';
  return { ...decision, protocol, allowPrivate: decision.allowPrivate && other.allowPrivate };
};

/** Whether a grant ended between two times. */
export const hasGrantEnded = ({ grants }: LoadedPolicy, sinceMs: number, nowMs: number): boolean =>
  grants.some(({ untilMs }) => untilMs > sinceMs && untilMs <= nowMs);

/** Whether a canonical name may be reached on some port. */
export const isNameOpen = (loaded: LoadedPolicy, name: string, nowMs: number): boolean => {
  if (loaded.compiled.unrestricted) return true;
  const compiled = [loaded.compiled, ...loaded.grants.filter(({ untilMs }) => untilMs > nowMs).map((grant) => grant.compiled)];
  const entries = compiled.flatMap(({ index }) => index.all({ kind: 'name', key: name }));
  const ports = new Set(entries.flatMap(({ action, ports: named }) => (action === 'allow' ? (named ?? []) : [])));
  // Any ports will do where all are open: one that is used, and one that no rule would name.
  const tried = loaded.observes ? [...ports, 443, 80, 1] : [...ports];
  return tried.some((port) => decideLoaded(loaded, { host: name, port }, nowMs).verdict === 'allowed');
};
