// Checks a network policy before it is saved: the exact grammar, its limits, every problem with its place. Never opens by mistake:
// `{}` is the only spelling of unrestricted, and what is not understood is refused, not read as closed.
// Source: NETWORK.md 1.1 and 1.7.

import { counted } from '../base/counted.ts';
import type { NetworkPolicy, NetworkRule, PolicyProblem, PolicyWarning, ResolvedPresets } from '../contract/model.ts';
import { checkRule } from './check-rule.ts';
import { isPlainObject } from './plain-object.ts';
import { jsonBytes } from './policy-size.ts';
import { policyWarnings } from './policy-warnings.ts';
import { builtInPresets, presetHosts } from './presets.ts';
import { createProblemList, type ProblemList, step } from './problem-list.ts';

const most = { bytes: 65_536, rules: 128, patterns: 1024 };
const forms = 'A policy is {} (unrestricted) or {"version":"v1","rules":[…]}.';

/** What came of checking: the policy in its one spelling, or everything that is wrong with it. */
export type CheckedPolicy = { ok: true; policy: NetworkPolicy; warnings: PolicyWarning[] } | { ok: false; errors: PolicyProblem[] };

const checkVersion = (value: Record<string, unknown>, problems: ProblemList): void => {
  const version = Object.hasOwn(value, 'version') ? value['version'] : undefined;
  if (version === 'v1') return;
  if (version === undefined) problems.add('policy_shape', '', forms);
  else problems.add('version_unsupported', '/version', `Policy version ${shortJson(version)} is not supported; use "v1".`);
};

// Only what is no object is shown: an object could be of any depth.
const shortJson = (value: unknown): string => {
  const text = value !== null && typeof value === 'object' ? '(no text)' : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
};

const checkRules = (value: Record<string, unknown>, problems: ProblemList): NetworkRule[] => {
  const rules = Object.hasOwn(value, 'rules') ? value['rules'] : undefined;
  if (!Array.isArray(rules)) {
    problems.add(
      'policy_shape',
      rules === undefined ? '' : '/rules',
      rules === undefined ? forms : 'rules must be a list; [] blocks everything.',
    );
    return [];
  }
  if (rules.length > most.rules) {
    problems.add('limit_exceeded', '/rules', `${counted(rules.length, 'rule')}; the limit is ${most.rules}.`);
    return [];
  }
  return rules.flatMap((rule, index) => checkRule(rule, `/rules/${index}`, problems) ?? []);
};

const countPatterns = (rules: NetworkRule[], presets: ResolvedPresets): number => {
  const ofRule = (rule: NetworkRule): number =>
    (rule.hosts?.length ?? 0) + (rule.presets ?? []).reduce((sum, id) => sum + presetHosts(id, presets).length, 0);
  return rules.reduce((sum, rule) => sum + ofRule(rule), 0);
};

const checkPatterns = (rules: NetworkRule[], presets: ResolvedPresets, problems: ProblemList): void => {
  const count = countPatterns(rules, presets);
  if (count <= most.patterns) return;
  const message = `${count.toLocaleString('en')} host patterns after expanding presets; the limit is ${most.patterns.toLocaleString('en')}.`;
  problems.add('limit_exceeded', '/rules', message);
};

const sameOnce = (errors: PolicyProblem[]): PolicyProblem[] =>
  errors.filter(
    (error, index) =>
      !errors.slice(0, index).some(({ code, path }) => code === 'policy_shape' && code === error.code && path === error.path),
  );

/**
 * Checks a policy as it came over the wire. `presets` are those resolved so far: they count against the limit of patterns and take part in
 * the warnings. Paths are JSON pointers into the policy.
 */
export const checkPolicy = (value: unknown, presets: ResolvedPresets = builtInPresets()): CheckedPolicy => {
  const problems = createProblemList();
  if (!isPlainObject(value)) {
    problems.add('policy_shape', '', forms);
    return { ok: false, errors: problems.list() };
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return { ok: true, policy: {}, warnings: [] };
  if (jsonBytes(value, most.bytes) > most.bytes) {
    problems.add('limit_exceeded', '', 'The policy is larger than 64 KiB as JSON.');
    return { ok: false, errors: problems.list() };
  }
  for (const key of keys) {
    if (key !== 'version' && key !== 'rules')
      problems.add('unknown_field', step(key), `Unknown field "${key.slice(0, 60)}" in the policy. ${forms}`);
  }
  checkVersion(value, problems);
  const rules = checkRules(value, problems);
  checkPatterns(rules, presets, problems);
  const errors = sameOnce(problems.list());
  if (errors.length > 0) return { ok: false, errors };
  const policy: NetworkPolicy = { version: 'v1', rules };
  return { ok: true, policy, warnings: policyWarnings(policy, presets) };
};
