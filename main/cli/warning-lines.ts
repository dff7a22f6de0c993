// Warnings about a policy on a terminal, each with the rules that it is about.
import type { NetworkPolicy, PolicyWarning } from '../../sandbox-engine/contract/model.ts';

const most = 3;

const listed = (hosts: readonly string[]): string => {
  const all = [...new Set(hosts)];
  return all.length <= most ? all.join(', ') : `${all.slice(0, most).join(', ')} and ${all.length - most} more`;
};

/** The hosts and presets that each rule of a policy names. */
export const namesOf =
  (policy: NetworkPolicy) =>
  (rule: number): readonly string[] => {
    const { hosts = [], presets = [] } = ('rules' in policy ? policy.rules[rule] : undefined) ?? {};
    return [...hosts, ...presets.map((preset) => `preset ${preset}`)];
  };

/** A line a warning; what names its rule itself stays as it is. */
export const warningLines = (warnings: readonly PolicyWarning[], namesOfRule: (rule: number) => readonly string[]): string[] => {
  const about = new Map<string, Set<string>>();
  for (const { message, path } of warnings) {
    const rule = /^\/rules\/(\d+)/.exec(path)?.[1];
    const named = about.get(message) ?? new Set<string>();
    about.set(message, named);
    if (rule !== undefined && !/^Rule \d/.test(message)) named.add(`rule ${Number(rule) + 1} (${listed(namesOfRule(Number(rule)))})`);
  }
  return [...about].map(([message, named]) => (named.size === 0 ? message : `R${[...named].join(', ').slice(1)}: ${message}`));
};
