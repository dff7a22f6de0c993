// The policy that a sandbox is under when rules were granted to it for good: each where the grant put it into the environment's. Pure.
import { isSameJson } from '../base/canonical-json.ts';
import type { NetworkPolicy, NetworkRule, ResolvedPresets } from '../contract/model.ts';
import { insertRule } from './insert-rule.ts';
import { compilePolicy, decide } from './policy.ts';

const has = (rule: NetworkRule, wanted: NetworkRule): boolean =>
  isSameJson({ ...rule, hosts: [] }, { ...wanted, hosts: [] }) && (wanted.hosts ?? []).every((host) => rule.hosts?.includes(host) === true);

const withRule = (policy: NetworkPolicy, presets: ResolvedPresets, rule: NetworkRule): NetworkPolicy => {
  const { hosts: [host] = [], ports: [port] = [] } = rule;
  if (!('rules' in policy) || host === undefined || port === undefined || policy.rules.some((one) => has(one, rule))) return policy;
  const { rule: before } = decide(compilePolicy(policy, presets), { host, port });
  return insertRule(policy, rule, before ?? policy.rules.length).policy;
};

/** The policy with these rules, the first granted first. */
export const policyWithGrants = (policy: NetworkPolicy, presets: ResolvedPresets, granted: readonly NetworkRule[]): NetworkPolicy =>
  granted.reduce((now, rule) => withRule(now, presets, rule), policy);
