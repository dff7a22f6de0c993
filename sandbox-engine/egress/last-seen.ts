// When the patterns of a policy were last tried, from what sandboxes did. Pure.
// Source: NETWORK.md 1.10 (last seen allowed or blocked).
import { outcomeOf } from '../contract/egress-outcome.ts';
import type { EgressTally, LastSeen } from '../contract/model.ts';
import { covers, readPattern } from './host-pattern.ts';

/** A pattern and the ports on which it speaks of a host; null is every port. */
interface Place {
  host: string;
  ports: readonly number[] | null;
}

const latest = (times: readonly string[]): string | null =>
  times.reduce<string | null>((best, at) => (best === null || at > best ? at : best), null);

/** Makes the look-up over these tallies. Questions for a name say no port, so they count for every one. */
export const lastSeenIn = (tallies: readonly EgressTally[]): ((place: Place) => LastSeen) => {
  const read = tallies.flatMap((tally) => {
    const pattern = tally.host === null ? null : readPattern(tally.host);
    return pattern === null ? [] : [{ tally, pattern }];
  });
  return ({ host, ports }) => {
    const outer = readPattern(host);
    const isMeant = ({ tally: { port }, pattern }: (typeof read)[number]): boolean =>
      outer !== null && covers(outer, pattern) && (ports === null || port === null || ports.includes(port));
    const mine = read.filter(isMeant).map(({ tally }) => tally);
    const last = (is: (one: EgressTally) => boolean) => latest(mine.filter(is).map(({ last_at }) => last_at));
    return {
      last_allowed_at: last((one) => outcomeOf(one) === 'allowed'),
      last_blocked_at: last((one) => outcomeOf(one) === 'blocked'),
      last_not_found_at: last(({ reason }) => reason === 'resolve_failed'),
      last_not_reached_at: last(({ reason }) => reason === 'upstream_failed'),
    };
  };
};
