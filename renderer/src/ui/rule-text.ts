// A network rule in one line, as it is spoken of in lists and previews.
import type { NetworkPolicy, NetworkRule, PolicyWarning } from '../../../sandbox-engine/contract/model.ts';

const portsText = ({ action, ports }: NetworkRule): string => {
  if (ports !== undefined) return ports.length === 1 ? `port ${ports[0]}` : `ports ${ports.join(', ')}`;
  return action === 'allow' ? 'ports 443 and 80' : 'every port';
};

/** What it is about: `a.example, preset npm`. */
export const ruleWhat = ({ hosts = [], presets = [] }: NetworkRule): string =>
  [...hosts, ...presets.map((preset) => `preset ${preset}`)].join(', ') || 'nothing yet';

/** On which ports, and what else it lets through. */
export const ruleHow = (rule: NetworkRule): string[] => [
  ...((rule.hosts ?? []).length > 0 ? [portsText(rule)] : []),
  ...(rule.protocol === 'tcp' ? ['bytes not looked at'] : []),
  ...(rule.allow_private ? ['private addresses too'] : []),
];

/** `allow a.example, b.example · port 443 · bytes not looked at`. */
export const ruleText = (rule: NetworkRule): string => [`${rule.action} ${ruleWhat(rule)}`, ...ruleHow(rule)].join(' · ');

const ruleOfPath = (path: string): number => Number(/^\/rules\/(\d+)/.exec(path)?.[1] ?? Number.NaN);

/** Warnings away from their rules, each with the rules that it is about; what says so itself stays as it is. */
export const warningTexts = (warnings: readonly PolicyWarning[], rules: readonly NetworkRule[]): string[] => {
  const about = new Map<string, Set<string>>();
  for (const { message, path } of warnings) {
    const index = ruleOfPath(path);
    const rule = /^Rule \d/.test(message) ? undefined : rules[index];
    const named = about.get(message) ?? new Set<string>();
    about.set(message, rule === undefined ? named : named.add(`rule ${index + 1} (${ruleWhat(rule)})`));
  }
  return [...about].map(([message, named]) => (named.size === 0 ? message : `R${[...named].join(', ').slice(1)}: ${message}`));
};

/** Where a rule would stand, in words. */
export const placeText = (policy: NetworkPolicy, at: number): string => {
  const before = 'rules' in policy ? policy.rules[at] : undefined;
  if (before === undefined) return `as rule ${at + 1}, the last`;
  return `as rule ${at + 1}, before “${ruleText(before)}”`;
};
