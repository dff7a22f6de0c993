// Calls about what sandboxes tried to reach: the log, grants, a policy tried on the past, a policy made from it.
import { z } from 'zod';
import {
  contactedDestination,
  egressGrant,
  egressOutcome,
  egressReason,
  environmentId,
  grantId,
  grantTerm,
  loggedAttempt,
  networkPolicy,
  networkRule,
  policyProposal,
  policyReplay,
  policyWarning,
  sessionId,
  setupRunId,
} from '../model.ts';
import { byEnvironment, cursor } from './input.ts';

/** Which attempts are meant; all that are given must hold, and nothing means everything. */
const filter = {
  environment_id: environmentId.optional(),
  session_id: sessionId.optional(),
  setup_run_id: setupRunId.optional(),
  /** `blocked` is what the policy kept back; `failed` what it let through and the network beyond did not. */
  verdict: egressOutcome.optional(),
  /** A part of `host:port`. */
  text: z.string().max(300).optional(),
};

export const egressLogCalls = {
  /** The newest first. `older` are attempts of these that are no longer kept one by one: `egress.summary` still counts them. */
  'egress.log': {
    input: z.strictObject({ ...filter, after: cursor, limit: z.number().int().min(1).max(2_000).optional() }),
    output: z.strictObject({ attempts: z.array(loggedAttempt), next_after: z.string().nullable(), older: z.number().int() }),
  },
  /** By destination, the last tried first. */
  'egress.summary': {
    input: z.strictObject({ ...filter, limit: z.number().int().min(1).max(2_000).optional() }),
    output: z.strictObject({
      destinations: z.array(contactedDestination),
      allowed: z.number().int(),
      blocked: z.number().int(),
      failed: z.number().int(),
      /** Destinations beyond the limit. */
      left_off: z.number().int(),
    }),
  },
  /** Allows one destination. `always` writes the rule into the environment's policy, before a deny rule that would catch it, and needs the
   *  access that was seen, as a change of the policy does. With `preview` nothing is changed. */
  'egress.grant': {
    input: z.strictObject({
      session_id: sessionId.optional(),
      environment_id: environmentId.optional(),
      /** A URL or `host:port`. */
      destination: z.string().min(1).max(2_000),
      for: grantTerm,
      /** Why an attempt was blocked, where only the connection showed it. */
      reason: egressReason.optional(),
      preview: z.boolean().optional(),
      expected_access: z.strictObject({ network_policy: networkPolicy, privileged: z.boolean() }).optional(),
    }),
    output: z.strictObject({
      rule: networkRule,
      /** Where the rule stands, or would stand, in the environment's policy; null when the policy stays as it is. */
      insert_at: z.number().int().nullable(),
      /** The environment's policy with the rule; null when it stays as it is. */
      network_policy: networkPolicy.nullable(),
      warnings: z.array(policyWarning),
      /** null for a preview. */
      grant: egressGrant.nullable(),
      /** Running sandboxes that it reached at once. */
      applied_to: z.array(z.string()),
    }),
  },
  /** Takes back a grant for a session or a while; what it opened is closed within a second. */
  'egress.revoke': { input: z.strictObject({ grant_id: grantId }), output: egressGrant },
  /** The newest first. */
  'egress.grants': {
    input: z.strictObject({ environment_id: environmentId.optional(), session_id: sessionId.optional() }),
    output: z.strictObject({ grants: z.array(egressGrant) }),
  },
  /** What a policy that is not saved yet would have said about everything that this environment's sandboxes tried. */
  'egress.replay': { input: byEnvironment.extend({ network_policy: z.unknown() }), output: policyReplay },
  /** A policy from what a setup run, a session or all sandboxes of an environment contacted. */
  'egress.propose': {
    input: z.strictObject({
      environment_id: environmentId.optional(),
      session_id: sessionId.optional(),
      setup_run_id: setupRunId.optional(),
      /** Also what was blocked, where a rule can allow it. */
      include_blocked: z.boolean().optional(),
    }),
    output: policyProposal,
  },
} as const;
