// Tries an edited policy on what sandboxes did before: what the saved one lets through and it would not, and the other way round. Pure.
// Source: SPEC.md 6 and 12 (replay of a policy edit).
import { counted } from '../base/counted.ts';
import type { ChangedDestination, EgressReason, EgressTally, EgressVerdict, PolicyReplay } from '../contract/model.ts';
import { explain } from './explain.ts';
import { type CompiledPolicy, decide } from './policy.ts';
import { blockedByWhatWasSeen } from './seen-reasons.ts';

/** A tally with a host and a port: what a policy can be asked about. */
type Asked = EgressTally & { host: string; port: number };

const isAsked = (tally: EgressTally): tally is Asked => tally.host !== null && tally.port !== null && tally.protocol !== 'dns';

/** The policy that is tried, and the one that it takes the place of. */
interface Policies {
  compiled: CompiledPolicy;
  before: CompiledPolicy;
}

/** Why what the rules allow would be blocked all the same. */
const seenReason = ({ compiled, before }: Policies, tally: Asked): EgressReason | undefined => {
  const decision = decide(compiled, tally);
  if (decision.verdict === 'blocked') return undefined;
  // Where a name led is not kept; a rule that allowed private addresses was there because it led to one.
  const wasPrivate = tally.verdict === 'allowed' && !before.unrestricted && decide(before, tally).allowPrivate;
  return wasPrivate && !decision.allowPrivate ? 'private_address' : blockedByWhatWasSeen(decision, tally);
};

const verdictNow = (policies: Policies, tally: Asked): EgressVerdict => {
  if (decide(policies.compiled, tally).verdict === 'blocked') return 'blocked';
  return seenReason(policies, tally) === undefined ? 'allowed' : 'blocked';
};

/** What the policy that it takes the place of says: what was decided before may have been decided by yet another one, or by a grant. */
const verdictBefore = ({ before }: Policies, tally: Asked): EgressVerdict => verdictNow({ compiled: before, before }, tally);

const explainNow = (policies: Policies, tally: Asked): ChangedDestination['now'] =>
  explain(policies.compiled, { host: tally.host, port: tally.port }, seenReason(policies, tally));

/** One line a destination, the most tried first. */
const byDestination = (policies: Policies, changed: Asked[]): ChangedDestination[] => {
  const found = new Map<string, ChangedDestination>();
  for (const tally of changed) {
    const { host, port, attempts, last_at } = tally;
    const known = found.get(`${host}:${port}`);
    if (known === undefined) found.set(`${host}:${port}`, { host, port, attempts, last_at, now: explainNow(policies, tally) });
    else {
      known.attempts += attempts;
      if (last_at > known.last_at) known.last_at = last_at;
    }
  }
  return [...found.values()].sort((left, right) => right.attempts - left.attempts || right.last_at.localeCompare(left.last_at));
};

const sum = (tallies: readonly EgressTally[]): number => tallies.reduce((total, { attempts }) => total + attempts, 0);

const sentenceOf = (attempts: number, blocked: number, allowed: number): string => {
  if (attempts === 0) return 'Nothing was tried yet, so there is nothing to compare with.';
  if (blocked + allowed === 0) return `Nothing would change for the ${counted(attempts, 'attempt that was', 'attempts that were')} seen.`;
  const of = `of ${counted(attempts, 'attempt')}`;
  if (allowed === 0) return `${blocked.toLocaleString('en')} ${of} would now be blocked.`;
  if (blocked === 0) return `${allowed.toLocaleString('en')} ${of} would now be allowed.`;
  return `${blocked.toLocaleString('en')} ${of} would now be blocked, and ${allowed.toLocaleString('en')} would now be allowed.`;
};

/** Compares what one policy says of what was tried with what another would say in its place. Attempts without a host and port are not counted. */
export const replayPolicy = (compiled: CompiledPolicy, before: CompiledPolicy, tallies: readonly EgressTally[]): PolicyReplay => {
  const policies = { compiled, before };
  const asked = tallies.filter(isAsked);
  const changed = asked.filter((tally) => verdictNow(policies, tally) !== verdictBefore(policies, tally));
  const blocked = changed.filter((tally) => verdictBefore(policies, tally) === 'allowed');
  const allowed = changed.filter((tally) => verdictBefore(policies, tally) === 'blocked');
  const [attempts, wouldBlock, wouldAllow] = [sum(asked), sum(blocked), sum(allowed)];
  return {
    sentence: sentenceOf(attempts, wouldBlock, wouldAllow),
    attempts,
    would_be_blocked: wouldBlock,
    would_be_allowed: wouldAllow,
    blocked: byDestination(policies, blocked),
    allowed: byDestination(policies, allowed),
  };
};
