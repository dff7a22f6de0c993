// What an environment can reach: presets as they were resolved, and the effective-access view.
// Source: NETWORK.md 1.9 and 1.10.
import { z } from 'zod';
import { environmentId } from './id.ts';
import { policyWarning, presetId } from './network.ts';
import { isoTime } from './time.ts';

/** One pattern of a preset with its ports. */
export const presetHost = z.strictObject({
  host: z.string(),
  ports: z.array(z.number().int().min(1).max(65_535)),
  /** Data can be sent away through it: pushes, publishing, uploads. */
  uploads: z.boolean(),
  /** Where it is from: `npm config`, `server "docs"`, `tarball address`. */
  from: z.string(),
});
export type PresetHost = z.infer<typeof presetHost>;

/** A preset as it stands now; without hosts it allows nothing. */
export const resolvedPreset = z.strictObject({
  id: presetId,
  /** Rises when the hosts change: the date of built-in data, else a digest of the hosts. */
  revision: z.string(),
  /** In a person's words: `built in, 2026-11-29`, `asked npm in the image`. */
  source: z.string(),
  resolved_at: isoTime.nullable(),
  /** `last_known`: the last try to find out more failed; `configured_only`: where files are served from was never found out. */
  state: z.enum(['current', 'last_known', 'configured_only', 'unresolved']),
  hosts: z.array(presetHost),
  /** What a person should know: a tool that is not in the image, a host that can never be allowed. */
  notes: z.array(z.string()),
});
export type ResolvedPreset = z.infer<typeof resolvedPreset>;

/** Every preset that has been resolved, by id; one that is missing allows nothing. */
export type ResolvedPresets = Partial<Record<z.infer<typeof presetId>, ResolvedPreset>>;

export const accessMark = z.enum(['uploads', 'shared_host', 'private_addresses', 'plain_http', 'this_computer']);
export type AccessMark = z.infer<typeof accessMark>;

const ruleIndex = z.number().int().nonnegative();

/** One pattern that a rule allows. */
export const accessRow = z.strictObject({
  host: z.string(),
  ports: z.array(
    z.strictObject({
      port: z.number().int(),
      /** What has to name the host: TLS on 443, HTTP on 80, either elsewhere; nothing for `tcp`. */
      inspected: z.enum(['tls_name', 'http_name', 'tls_or_http_name', 'not_inspected']),
      /** The earlier rule that decides this port instead; null when the row itself does. */
      decided_by: ruleIndex.nullable(),
    }),
  ),
  rule: ruleIndex,
  preset: presetId.nullable(),
  /** `rule 2`, `preset npm: npm config`, `MCP server "docs"`. */
  from: z.string(),
  note: z.string().nullable(),
  marks: z.array(accessMark),
  /** Never reached: earlier rules decide every port of it. */
  shadowed: z.boolean(),
  /** Deny rules that take something out of it. */
  cut_by: z.array(ruleIndex),
});
export type AccessRow = z.infer<typeof accessRow>;

/** One pattern that a rule denies. */
export const accessDenial = z.strictObject({
  host: z.string(),
  /** null is every port. */
  ports: z.array(z.number().int()).nullable(),
  rule: ruleIndex,
  note: z.string().nullable(),
  /** Patterns of later rules that it takes something out of. */
  cuts: z.array(z.string()),
  shadowed: z.boolean(),
});
export type AccessDenial = z.infer<typeof accessDenial>;

/** A preset that the policy uses, and whether a newer one could be applied. */
export const accessPreset = resolvedPreset.omit({ hosts: true }).extend({
  hosts: z.number().int(),
  /** Hosts that the newer built-in data has and lacks; null when it is the newest. */
  newer: z.strictObject({ revision: z.string(), added: z.array(z.string()), removed: z.array(z.string()) }).nullable(),
});
export type AccessPreset = z.infer<typeof accessPreset>;

/** Everything that a policy opens, rule by rule, presets expanded: computed by the matcher that decides. */
export const effectiveAccess = z.strictObject({
  access: z.enum(['unrestricted', 'none', 'limited']),
  /** `Unrestricted`, `No access`, `12 hosts and 2 wildcards`. */
  headline: z.string(),
  hosts: z.number().int(),
  wildcards: z.number().int(),
  rows: z.array(accessRow),
  denials: z.array(accessDenial),
  presets: z.array(accessPreset),
  warnings: z.array(policyWarning),
  /** What no rule can open, in words. */
  always_blocked: z.array(z.string()),
  /** What does not leave from the sandbox, so that no rule governs it. */
  not_governed: z.array(z.string()),
});
export type EffectiveAccess = z.infer<typeof effectiveAccess>;

const lastSeen = {
  /** When the sandboxes of this environment last got through by it, and when they were last blocked there; null for never. */
  last_allowed_at: isoTime.nullable(),
  last_blocked_at: isoTime.nullable(),
  /** When they were let through and there was no such name, or nothing that answered. */
  last_not_found_at: isoTime.nullable(),
  last_not_reached_at: isoTime.nullable(),
};

/** When a pattern was last tried. */
export type LastSeen = { [Field in keyof typeof lastSeen]: string | null };

/** The same for one environment. */
export const environmentAccess = effectiveAccess.extend({
  rows: z.array(accessRow.extend(lastSeen)),
  denials: z.array(accessDenial.extend(lastSeen)),
  environment_id: environmentId,
  revision: z.number().int(),
  /** Sessions that are up and keep an earlier revision of the environment. */
  sessions_on_older_revisions: z.number().int(),
});
