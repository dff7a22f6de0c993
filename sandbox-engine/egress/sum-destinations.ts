// Puts tallies of attempts together by destination, each with what the policy says about it now. Pure.
import { outcomeOf } from '../contract/egress-outcome.ts';
import type { ContactedDestination, EgressOutcome, EgressTally } from '../contract/model.ts';
import { explain } from './explain.ts';
import { type CompiledPolicy, decide } from './policy.ts';
import { blockedByWhatWasSeen, newestOf, tellingLook } from './seen-reasons.ts';

const explainNow = (compiled: CompiledPolicy | null, last: EgressTally, look: EgressTally): ContactedDestination['now'] => {
  if (compiled === null || last.host === null) return null;
  // A question for a name says no port; most who ask mean this one.
  const destination = { host: last.host, port: last.port ?? 443 };
  return explain(compiled, destination, blockedByWhatWasSeen(decide(compiled, destination), look));
};

const sum = (tallies: readonly EgressTally[], of: (tally: EgressTally) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

const put = (tallies: readonly EgressTally[], compiled: CompiledPolicy | null): ContactedDestination[] => {
  const last = newestOf(tallies);
  if (last === undefined) return [];
  const counted = (outcome: EgressOutcome) =>
    sum(
      tallies.filter((tally) => outcomeOf(tally) === outcome),
      ({ attempts }) => attempts,
    );
  return [
    {
      host: last.host,
      port: last.port,
      protocols: [...new Set(tallies.map(({ protocol }) => protocol))].sort(),
      allowed: counted('allowed'),
      blocked: counted('blocked'),
      failed: counted('failed'),
      bytes_sent: sum(tallies, (tally) => tally.bytes_sent),
      bytes_received: sum(tallies, (tally) => tally.bytes_received),
      first_at: tallies.map(({ first_at }) => first_at).sort()[0] ?? last.first_at,
      last_at: last.last_at,
      last_verdict: last.verdict,
      last_reason: last.reason,
      now: explainNow(compiled, last, tellingLook(tallies) ?? last),
    },
  ];
};

const tried = ({ allowed, blocked, failed }: ContactedDestination): number => allowed + blocked + failed;

/** One line a destination, the last tried first. Without a policy nothing is said about now. */
export const sumDestinations = (tallies: readonly EgressTally[], compiled: CompiledPolicy | null): ContactedDestination[] => {
  const groups = new Map<string, EgressTally[]>();
  for (const tally of tallies) {
    const key = `${tally.host} ${tally.port}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tally]);
    else group.push(tally);
  }
  return [...groups.values()]
    .flatMap((group) => put(group, compiled))
    .sort((left, right) => right.last_at.localeCompare(left.last_at) || tried(right) - tried(left));
};
