// The network policy of an environment: its rules, what a decision about one destination says, one try to reach the network.
// Source: NETWORK.md 1.1 (shape), 1.7 (codes), 1.9 (presets).
import { z } from 'zod';
import { isoTime } from './time.ts';

/** Sets of hosts that are kept by name. Those of package managers are what the tools in the image are configured to use. */
export const presetIds = [
  'github',
  'github-lfs',
  'gitlab',
  'mcp-servers',
  'package-registries',
  'npm',
  'pip',
  'go',
  'cargo',
  'gem',
  'apt',
  'maven',
] as const;
export const presetId = z.enum(presetIds);
export type PresetId = z.infer<typeof presetId>;

const port = z.number().int().min(1).max(65_535);

/** One rule. Without `ports` an allow rule means 443 and 80, a deny rule every port; presets bring their own ports. */
export const networkRule = z.strictObject({
  action: z.enum(['allow', 'deny']),
  /** An exact name, `*.` and a name, an IPv4 address, or an IPv6 address in brackets. */
  hosts: z.array(z.string()).optional(),
  presets: z.array(presetId).optional(),
  ports: z.array(port).optional(),
  /** `auto`: TLS or HTTP that names the host; `tcp`: the bytes are not looked at. */
  protocol: z.enum(['auto', 'tcp']).optional(),
  allow_private: z.boolean().optional(),
  note: z.string().optional(),
});
export type NetworkRule = z.infer<typeof networkRule>;

/** `{}` is unrestricted and the only spelling of it; otherwise the first rule that matches decides and no match is blocked. */
export const networkPolicy = z.union(
  [
    z.strictObject({}),
    z.strictObject({ version: z.literal('v1'), rules: z.array(networkRule) }),
    // The forms stand in the error, because zod's own says only that none of them fits.
  ],
  'must be {} (unrestricted) or {"version": "v1", "rules": []} (no network)',
);
export type NetworkPolicy = z.infer<typeof networkPolicy>;

/** Why a policy is not saved. */
export const policyErrorCodes = [
  'policy_shape',
  'version_unsupported',
  'unknown_field',
  'action_invalid',
  'rule_empty',
  'host_scheme_or_path',
  'host_port',
  'host_userinfo',
  'host_whitespace',
  'host_control',
  'host_not_ascii',
  'host_punycode_invalid',
  'host_label',
  'host_length',
  'host_needs_dot',
  'host_looks_like_ip',
  'cidr_unsupported',
  'ipv6_brackets',
  'ipv6_zone',
  'ip_needs_ports',
  'address_never',
  'address_private',
  'name_reserved',
  'wildcard_all',
  'wildcard_position',
  'wildcard_public_suffix',
  'wildcard_tcp',
  'ports_invalid',
  'ports_with_preset',
  'preset_unknown',
  'deny_option',
  'limit_exceeded',
  'privileged_conflict',
] as const;
export type PolicyErrorCode = (typeof policyErrorCodes)[number];

/** One reason why a policy is not saved. */
export interface PolicyProblem {
  code: PolicyErrorCode;
  /** JSON pointer into the policy; empty is the policy itself. */
  path: string;
  message: string;
  /** What to write instead, when there is one right way to write it. */
  suggestion?: string;
}

/** What a person should know about a policy that is saved all the same. */
export const policyWarning = z.strictObject({
  code: z.enum([
    'shadowed_rule',
    'redundant_host',
    'wildcard_shared_suffix',
    'shared_host',
    'upload_capable',
    'plain_http',
    'uninspected_tcp',
    'private_allowed',
  ]),
  /** JSON pointer into the policy. */
  path: z.string(),
  message: z.string(),
});
export type PolicyWarning = z.infer<typeof policyWarning>;

export const egressVerdict = z.enum(['allowed', 'blocked']);
export type EgressVerdict = z.infer<typeof egressVerdict>;

/** Why an attempt was allowed or blocked: the same words in the log, in the answer to the sandbox and in the app. */
export const reasonCodes = [
  'allowed',
  // It passed because the sandbox was observed; no rule allows it.
  'observed',
  'no_rule',
  'denied_by_rule',
  'port_not_allowed',
  'ip_literal',
  'private_address',
  'special_address',
  'name_mismatch',
  'no_sni',
  'ech',
  'not_recognised',
  'protocol_mismatch',
  'malformed_request',
  'malformed_client_hello',
  'limit_exceeded',
  'resolve_failed',
  'upstream_failed',
  'policy_changed',
  'gate_down',
] as const;
export const egressReason = z.enum(reasonCodes);
export type EgressReason = z.infer<typeof egressReason>;

/** What became of an attempt: `failed` is one that was let through, and the network beyond had no such name or did not answer. */
export const egressOutcome = z.enum(['allowed', 'blocked', 'failed']);
export type EgressOutcome = z.infer<typeof egressOutcome>;

/** What a policy says about one destination, in a person's words too. */
export const explanation = z.strictObject({
  /** `host:port` in canonical form; the text as it was given when it is none. */
  destination: z.string(),
  host: z.string().nullable(),
  port: port.nullable(),
  verdict: egressVerdict,
  reason: egressReason,
  /** Index of the rule that decided; null when none did. */
  rule: z.number().int().nonnegative().nullable(),
  /** The narrowest rule that allows it: this host, this port; null when no rule can or none is needed. */
  how_to_allow: networkRule.nullable(),
  /** Index before which that rule has to stand, because the first rule that matches decides. */
  insert_at: z.number().int().nonnegative().nullable(),
  sentence: z.string(),
  /** What to do where no rule helps; not there where one does, or none is needed. */
  instead: z.string().optional(),
});
export type Explanation = z.infer<typeof explanation>;

/** What is said of one destination that is asked about. */
export const testedDestination = explanation.extend({
  /** Presets before the deciding rule whose hosts are not, or not all, known yet: one of them may cover it. */
  open_presets: z.array(presetId),
});
export type TestedDestination = z.infer<typeof testedDestination>;

/**
 * One try to reach the network, or several alike that were counted together. One that lasts comes twice under the same id, while it is
 * open and when it is over: the later one replaces the earlier.
 */
export const attempt = z.strictObject({
  id: z.string(),
  at: isoTime,
  /** The session or the setup run. */
  sandbox_id: z.string(),
  /** null when no host could be read. */
  host: z.string().nullable(),
  port: port.nullable(),
  protocol: z.enum(['tls', 'http', 'tcp', 'dns', 'unknown']),
  /** `explicit`: by the proxy's address; `transparent`: straight to the destination. */
  mode: z.enum(['explicit', 'transparent']),
  verdict: egressVerdict,
  reason: egressReason,
  rule: z.number().int().nonnegative().nullable(),
  /** What was wrong with it, when the reason alone does not say. */
  detail: z.string().nullable(),
  /** Revision of the policy that decided. */
  policy_revision: z.number().int(),
  bytes_sent: z.number().int().nonnegative(),
  bytes_received: z.number().int().nonnegative(),
  /** null while it is open. */
  duration_ms: z.number().nonnegative().nullable(),
  count: z.number().int().positive(),
});
export type Attempt = z.infer<typeof attempt>;
