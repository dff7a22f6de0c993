// Tells what the policy kept back from what it let through in vain. Apart from the schemas, so that the command line starts without them.
import type { Attempt, EgressOutcome, EgressReason } from './model.ts';

/** Reasons that are no decision: nobody forbade it, and the network beyond had no such name or did not answer. */
export const failureReasons: readonly EgressReason[] = ['resolve_failed', 'upstream_failed'];

/** What became of an attempt. */
export const outcomeOf = ({ verdict, reason }: Pick<Attempt, 'verdict' | 'reason'>): EgressOutcome =>
  verdict === 'blocked' && failureReasons.includes(reason) ? 'failed' : verdict;
