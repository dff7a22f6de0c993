// What sandboxes tried to reach, as it is kept: attempts, destinations, grants, a policy tried on the past, a policy made from it.
// Source: SPEC.md 6 and 12.
import { z } from 'zod';
import { environmentId, grantId, sessionId, setupRunId, terminalId } from './id.ts';
import { attempt, egressReason, egressVerdict, explanation, networkPolicy, networkRule, policyWarning } from './network.ts';
import { isoTime } from './time.ts';

const host = z.string().nullable();
const port = z.number().int().min(1).max(65_535).nullable();
const howOften = z.number().int().nonnegative();

/** What made a sandbox try it: the line of the setup script that was running, or the one terminal that was open. */
export const attemptCause = z.union([
  z.strictObject({ kind: z.literal('setup_line'), line: z.number().int().positive() }),
  z.strictObject({ kind: z.literal('terminal'), terminal_id: terminalId }),
]);
export type AttemptCause = z.infer<typeof attemptCause>;

/** An attempt as it is kept. */
export const keptAttempt = attempt.extend({
  environment_id: environmentId,
  session_id: sessionId.nullable(),
  setup_run_id: setupRunId.nullable(),
  /** null when it is not known. */
  cause: attemptCause.nullable(),
});
export type KeptAttempt = z.infer<typeof keptAttempt>;

/** An attempt as it is told. */
export const loggedAttempt = keptAttempt.extend({
  /** What became of it and why, in a person's words. */
  sentence: z.string(),
  /** What to do where no rule would have helped. */
  instead: z.string().optional(),
});
export type LoggedAttempt = z.infer<typeof loggedAttempt>;

/** All attempts alike, counted. */
export interface EgressTally extends Pick<KeptAttempt, 'host' | 'port' | 'protocol' | 'verdict' | 'reason'> {
  attempts: number;
  bytes_sent: number;
  bytes_received: number;
  first_at: string;
  last_at: string;
}

/** Everything that was tried at one destination. */
export const contactedDestination = z.strictObject({
  /** null: no host could be read, or there were too many to tell apart. */
  host,
  port,
  protocols: z.array(attempt.shape.protocol),
  allowed: howOften,
  blocked: howOften,
  /** Let through, and then not found or not reached. */
  failed: howOften,
  bytes_sent: howOften,
  bytes_received: howOften,
  first_at: isoTime,
  last_at: isoTime,
  last_verdict: egressVerdict,
  last_reason: egressReason,
  /** What the policy of the environment says about it now; null without one host and port, or when several environments tried it. */
  now: explanation.nullable(),
});
export type ContactedDestination = z.infer<typeof contactedDestination>;

/** How long a grant holds: as long as the session, 15 minutes, or for good as a rule of the environment. */
export const grantTerm = z.enum(['session', '15m', 'always']);
export type GrantTerm = z.infer<typeof grantTerm>;

/** A destination that a person allowed beside the policy, or as a new rule of it. */
export const egressGrant = z.strictObject({
  id: grantId,
  environment_id: environmentId,
  /** null: every sandbox of the environment. */
  session_id: sessionId.nullable(),
  /** `host:port`. */
  destination: z.string(),
  rule: networkRule,
  for: grantTerm,
  granted_at: isoTime,
  /** The user of this machine who gave it. */
  granted_by: z.string(),
  /** null for as long as the session lives, or for good. */
  until: isoTime.nullable(),
  revoked_at: isoTime.nullable(),
  /** Revision of the environment that first has the rule; null when the policy was not changed. */
  policy_revision: z.number().int().nullable(),
});
export type EgressGrant = z.infer<typeof egressGrant>;

/** A destination whose answer a policy would change. */
export const changedDestination = z.strictObject({
  host: z.string(),
  port: z.number().int(),
  attempts: howOften,
  last_at: isoTime,
  now: explanation,
});
export type ChangedDestination = z.infer<typeof changedDestination>;

/** What a policy would have said about what was tried before. Counts are attempts. */
export const policyReplay = z.strictObject({
  /** `3 of 412 attempts would now be blocked.` */
  sentence: z.string(),
  attempts: howOften,
  /** Attempts that were allowed and would be blocked, and those that were blocked and would be allowed. */
  would_be_blocked: howOften,
  would_be_allowed: howOften,
  blocked: z.array(changedDestination),
  allowed: z.array(changedDestination),
});
export type PolicyReplay = z.infer<typeof policyReplay>;

/** A destination that a proposed policy does not cover, and why. */
export const leftOutDestination = z.strictObject({
  host,
  port,
  attempts: howOften,
  because: z.enum(['was_blocked', 'never_allowed', 'not_found', 'not_reached', 'no_host']),
});
export type LeftOutDestination = z.infer<typeof leftOutDestination>;

/** The smallest policy that covers what was contacted: exact hosts, their ports, no wildcard. */
export const policyProposal = z.strictObject({
  policy: networkPolicy,
  warnings: z.array(policyWarning),
  destinations: howOften,
  left_out: z.array(leftOutDestination),
});
export type PolicyProposal = z.infer<typeof policyProposal>;
