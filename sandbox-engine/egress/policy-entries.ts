// A policy taken apart into its smallest pieces: one pattern with its ports and the rule it is from, presets expanded.
// Decisions, warnings and the effective-access view all stand on these, so that they cannot disagree.
import type { NetworkPolicy, NetworkRule, PresetId, ResolvedPresets } from '../contract/model.ts';
import { type HostPattern, readPattern } from './host-pattern.ts';
import { presetHosts } from './presets.ts';

export interface PolicyEntry {
  pattern: HostPattern;
  /** null is every port. */
  ports: readonly number[] | null;
  /** Index of its rule. */
  rule: number;
  action: 'allow' | 'deny';
  protocol: 'auto' | 'tcp';
  allowPrivate: boolean;
  /** The preset that it is from; null when the rule names it. */
  preset: PresetId | null;
  /** JSON pointer of the host or the preset in the policy. */
  path: string;
  /** In a person's words. */
  from: string;
  /** What its preset knows about sending data away through it. */
  uploads: boolean;
}

/** Ports of an allow rule that names none. */
export const defaultPorts: readonly number[] = [443, 80];

/** The ports of a rule's hosts; null is every port. */
const portsOf = (rule: NetworkRule): readonly number[] | null => rule.ports ?? (rule.action === 'allow' ? defaultPorts : null);

const entriesOf = (rule: NetworkRule, index: number, presets: ResolvedPresets): PolicyEntry[] => {
  const common = {
    rule: index,
    action: rule.action,
    protocol: rule.protocol ?? 'auto',
    allowPrivate: rule.allow_private === true,
  } as const;
  const named = (rule.hosts ?? []).map((host, at) => {
    const pattern = readPattern(host);
    // A deny rule that is skipped would open what it denies, so a pattern that cannot be read ends everything.
    if (pattern === null) throw new TypeError(`rules[${index}].hosts[${at}] is no canonical host pattern`);
    return {
      ...common,
      pattern,
      ports: portsOf(rule),
      preset: null,
      path: `/rules/${index}/hosts/${at}`,
      from: `rule ${index + 1}`,
      uploads: false,
    };
  });
  const fromPresets = (rule.presets ?? []).flatMap((id, at) =>
    presetHosts(id, presets).flatMap(({ host, ports, uploads, from, preset }) => {
      const pattern = readPattern(host);
      return pattern === null ? [] : [{ ...common, pattern, ports, preset, path: `/rules/${index}/presets/${at}`, from, uploads }];
    }),
  );
  return [...named, ...fromPresets];
};

/** All entries in the order of the rules; unrestricted has none. */
export const policyEntries = (policy: NetworkPolicy, presets: ResolvedPresets): PolicyEntry[] =>
  'rules' in policy ? policy.rules.flatMap((rule, index) => entriesOf(rule, index, presets)) : [];
