// Edits of a network policy on the page: rules by place, problems by place. Pure; what is right is decided by the host.
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';

/** A problem or warning with its JSON pointer into the policy. */
export interface Placed {
  path: string;
  message: string;
}

/** The rules of a policy; unrestricted has none. */
export const rulesOf = (policy: NetworkPolicy): NetworkRule[] => ('rules' in policy ? policy.rules : []);

/** Whether a policy lets nothing out; unrestricted lets out everything. */
export const opensNothing = (policy: NetworkPolicy): boolean => 'rules' in policy && !policy.rules.some(({ action }) => action === 'allow');

/** A policy of these rules. */
export const policyOf = (rules: NetworkRule[]): NetworkPolicy => ({ version: 'v1', rules });

const decides = (rule: NetworkRule): string =>
  JSON.stringify(Object.entries(tidyRule({ ...rule, note: '' })).sort(([left], [right]) => left.localeCompare(right))).toLowerCase();

/** Whether two policies decide alike, rule by rule, however they are written. */
export const decideAlike = (left: NetworkPolicy, right: NetworkPolicy): boolean =>
  'rules' in left === 'rules' in right && rulesOf(left).map(decides).join('\n') === rulesOf(right).map(decides).join('\n');

/** Takes one rule to another place. */
export const moveRule = (rules: readonly NetworkRule[], from: number, to: number): NetworkRule[] => {
  const next = [...rules];
  const [rule] = next.splice(from, 1);
  if (rule) next.splice(to, 0, rule);
  return next;
};

/** The rules with one more before index `at`. */
export const insertRule = (rules: readonly NetworkRule[], rule: NetworkRule, at: number): NetworkRule[] => [
  ...rules.slice(0, at),
  rule,
  ...rules.slice(at),
];

const isDefault = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (key === 'protocol' && value === 'auto') ||
  value === false;

/** What only an allow rule can say. */
const allowOnly: readonly string[] = ['presets', 'protocol', 'allow_private'];

/** The rule without what it leaves to the default, and without what its action cannot say. */
export const tidyRule = (rule: NetworkRule): NetworkRule => {
  const kept = Object.entries(rule).filter(
    ([key, value]) => !isDefault(key, value) && !(rule.action === 'deny' && allowOnly.includes(key)),
  );
  return Object.fromEntries(kept) as unknown as NetworkRule;
};

/** Those at this place or below it. */
export const placedUnder = <P extends Placed>(placed: readonly P[], path: string): P[] =>
  placed.filter((one) => one.path === path || one.path.startsWith(`${path}/`));

/** By the index of the list entry that each is about: `/rules/0/hosts/3` under `/rules/0/hosts` is 3. */
export const byEntry = <P extends Placed>(placed: readonly P[], path: string): Map<number, P> =>
  new Map(
    placedUnder(placed, path).flatMap((one): [number, P][] => {
      const entry = /^\d+$/.exec(one.path.slice(path.length + 1));
      return entry === null ? [] : [[Number(entry[0]), one]];
    }),
  );

/** The switch of the form that `allow_private` is. */
export const privateLabel = 'May lead to private addresses';

/** The index of the rule that a problem is in; null for one of the policy as a whole. */
export const ruleAt = (path: string): number | null => {
  const [, at] = /\/rules\/(\d+)/.exec(path) ?? [];
  return at === undefined ? null : Number(at);
};

/** Whether a rule names nothing yet. */
export const isUnnamed = ({ hosts = [], presets = [] }: NetworkRule): boolean => hosts.length + presets.length === 0;

/** The policy without rules at its end that name nothing yet: what the others decide is as it will be. */
export const withoutUnnamed = (policy: NetworkPolicy): NetworkPolicy => {
  const rules = rulesOf(policy);
  const end = rules.findLastIndex((rule) => !isUnnamed(rule)) + 1;
  return end === rules.length ? policy : policyOf(rules.slice(0, end));
};

/** What kept rules from being saved, in the words of the page; null when it was something else. */
export const rulesRefusal = ({ details }: { details: Record<string, unknown> }): { title: string; next: string } | null => {
  const problems = Array.isArray(details['problems']) ? (details['problems'] as (Placed & { code: string })[]) : [];
  const numbers = [...new Set(problems.flatMap(({ path }) => ruleAt(path) ?? []))].map((at) => at + 1);
  if (numbers.length === 0) return null;
  const which = `${numbers.length === 1 ? 'rule' : 'rules'} ${numbers.join(', ')}`;
  return problems.every(({ code, path }) => code === 'rule_empty' && /\/rules\/\d+$/.test(path))
    ? { title: `Not saved: no host is named in ${which}.`, next: 'Name one, or remove the rule.' }
    : { title: `Not saved: something is wrong in ${which}.`, next: 'It is said there, on the Network tab. Your edits are still here.' };
};

/** A problem of a rule in the words of the form, where the host has those of the file. */
export const inFormWords = <P extends Placed & { code: string }>(problem: P, rule: NetworkRule): P => {
  const { code, path } = problem;
  const { action, hosts = [], protocol, ports } = rule;
  if (code === 'rule_empty' && isUnnamed(rule))
    return { ...problem, message: action === 'allow' ? 'Name a host, or choose a preset.' : 'Name a host.' };
  const host = hosts[Number(path.split('/').at(-1))];
  if (code === 'address_private' && host) return { ...problem, message: `${host} is a private address: turn on “${privateLabel}”.` };
  if (code === 'ports_invalid' && protocol === 'tcp' && ports === undefined)
    return { ...problem, message: 'Where the bytes are not looked at, the ports must be named.' };
  return problem;
};

/** For `*.a.example` the domain itself, when nothing of the rule names it yet. */
export const missingApex = (hosts: readonly string[]): string[] =>
  [...new Set(hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(2)))].filter(
    (apex) => apex.includes('.') && !hosts.includes(apex),
  );

/** Reads a policy from its JSON text: null when it has not the outer form of one. */
export const readPolicyText = (text: string): { policy: NetworkPolicy } | { problem: string } => {
  try {
    const value = JSON.parse(text) as unknown;
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { problem: 'A policy is {} or {"version":"v1","rules":[…]}.' };
    const isOpen = Object.keys(value).length === 0;
    const rules = (value as { rules?: unknown }).rules;
    const isList = Array.isArray(rules) && rules.every((rule) => rule !== null && typeof rule === 'object' && !Array.isArray(rule));
    return isOpen || isList ? { policy: value as NetworkPolicy } : { problem: 'A policy is {} or {"version":"v1","rules":[…]}.' };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : 'This is not JSON.' };
  }
};
