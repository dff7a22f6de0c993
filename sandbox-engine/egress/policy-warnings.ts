// What a person should know about a policy that is saved all the same: rules that are never reached, hosts that many share, ways out.
// Source: NETWORK.md 1.7 (warnings).
import type { NetworkPolicy, NetworkRule, PolicyWarning, ResolvedPresets } from '../contract/model.ts';
import { patternText } from './host-pattern.ts';
import { isSharedHost, isSharedSuffix, meetsUploads, takesUploads } from './known-hosts.ts';
import { neverReached } from './never-reached.ts';
import { type PolicyEntry, policyEntries } from './policy-entries.ts';

/** Rules as a person counts them. */
const named = (rule: number): string => `rule ${rule + 1}`;

const shadowedRule = (index: number, deciders: PolicyEntry[]): PolicyWarning => {
  const by = [...new Set(deciders.map(({ rule }) => rule))].sort((left, right) => left - right).map(named);
  const come = by.length > 1 ? `${by.slice(0, -1).join(', ')} and ${by.at(-1)} come first and decide` : `${by[0]} comes first and decides`;
  return { code: 'shadowed_rule', path: `/rules/${index}`, message: `Rule ${index + 1} is never reached: ${come}.` };
};

const redundantHost = (entry: PolicyEntry, decider: PolicyEntry): PolicyWarning => {
  const by = `"${patternText(decider.pattern)}" in ${named(decider.rule)}`;
  const message = `"${patternText(entry.pattern)}" is never reached: ${by} comes first and decides.`;
  return { code: 'redundant_host', path: entry.path, message };
};

const reachWarnings = (rules: NetworkRule[], entries: readonly PolicyEntry[]): PolicyWarning[] => {
  const shadowed = neverReached(entries);
  return rules.flatMap((_rule, index): PolicyWarning[] => {
    const own = entries.filter(({ rule }) => rule === index);
    const deciders = own.flatMap((entry) => shadowed.get(entry) ?? []);
    const isWholly = own.length > 0 && own.every((entry) => shadowed.has(entry)) && deciders.every(({ rule }) => rule < index);
    if (isWholly) return [shadowedRule(index, deciders)];
    const byName = own.filter(({ preset }) => preset === null);
    return byName.flatMap((entry) => (shadowed.get(entry) ?? []).slice(0, 1).map((decider) => redundantHost(entry, decider)));
  });
};

const sharedWarning = ({ pattern, path }: PolicyEntry): PolicyWarning | null => {
  if (pattern.kind === 'wildcard' && isSharedSuffix(pattern.key)) {
    const message = `Anyone can rent a name below ${pattern.key}, so "*.${pattern.key}" lets data go to anyone. Name the hosts that are needed.`;
    return { code: 'wildcard_shared_suffix', path, message };
  }
  if (pattern.kind !== 'name' || !isSharedHost(pattern.key)) return null;
  return { code: 'shared_host', path, message: `${pattern.key} serves things of many people: whoever has a place there can be reached.` };
};

/** Whether data can be sent away through what an entry means. */
export const canUpload = ({ pattern, uploads }: PolicyEntry): boolean =>
  uploads || (pattern.kind === 'wildcard' ? meetsUploads(pattern.key) : takesUploads(pattern.key));

const uploadWarnings = (entries: readonly PolicyEntry[]): PolicyWarning[] => {
  const byPath = new Map<string, string[]>();
  for (const entry of entries.filter(canUpload)) byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), patternText(entry.pattern)]);
  return [...byPath].map(([path, hosts]) => ({
    code: 'upload_capable',
    path,
    message: `Data can be sent away through ${hosts.join(', ')}: access is per host, not per action.`,
  }));
};

const ruleWarnings = (rules: NetworkRule[]): PolicyWarning[] =>
  rules.flatMap((rule, index): PolicyWarning[] => {
    if (rule.action === 'deny') return [];
    const path = `/rules/${index}`;
    const isTcp = rule.protocol === 'tcp';
    const at = rule.ports?.indexOf(80) ?? -1;
    return [
      ...(at >= 0 && !isTcp
        ? [
            {
              code: 'plain_http' as const,
              path: `${path}/ports/${at}`,
              message: 'Port 80 carries plain HTTP: anyone on the way can read and change it.',
            },
          ]
        : []),
      ...(isTcp
        ? [
            {
              code: 'uninspected_tcp' as const,
              path: `${path}/protocol`,
              message: 'The bytes of a tcp rule are not looked at: whatever goes to this host goes through, tunnels too.',
            },
          ]
        : []),
      ...(rule.allow_private === true
        ? [
            {
              code: 'private_allowed' as const,
              path: `${path}/allow_private`,
              message: 'This rule may lead into private networks: your own, or the one your machine is in.',
            },
          ]
        : []),
    ];
  });

/** All warnings about a checked policy, in the order of its rules by kind. */
export const policyWarnings = (policy: NetworkPolicy, presets: ResolvedPresets): PolicyWarning[] => {
  if (!('rules' in policy)) return [];
  const entries = policyEntries(policy, presets);
  const allowed = entries.filter(({ action }) => action === 'allow');
  return [
    ...reachWarnings(policy.rules, entries),
    ...allowed.filter(({ preset }) => preset === null).flatMap((entry) => sharedWarning(entry) ?? []),
    ...uploadWarnings(allowed),
    ...ruleWarnings(policy.rules),
  ];
};
