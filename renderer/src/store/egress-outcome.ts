// Tells what the policy kept back from what it let through in vain. The store knows no view, and views have the same words of their own. Pure.
import type { ContactedDestination, EgressOutcome, EgressReason, EgressVerdict } from '../../../sandbox-engine/contract/model.ts';

const failures: readonly EgressReason[] = ['resolve_failed', 'upstream_failed'];

/** Allowed, blocked, or let through and then not found or not reached. */
export const outcomeOf = ({ verdict, reason }: { verdict: EgressVerdict; reason: EgressReason }): EgressOutcome =>
  verdict === 'blocked' && failures.includes(reason) ? 'failed' : verdict;

/** The destinations whose last attempt was blocked. */
export const stillBlocked = ({ destinations }: { destinations: readonly ContactedDestination[] }): ContactedDestination[] =>
  destinations.filter(({ last_verdict, last_reason }) => outcomeOf({ verdict: last_verdict, reason: last_reason }) === 'blocked');
