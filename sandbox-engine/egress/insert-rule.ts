// Puts one allow rule into a policy where it decides. Pure.
import { isSameJson } from '../base/canonical-json.ts';
import type { NetworkPolicy, NetworkRule } from '../contract/model.ts';

export interface InsertedRule {
  policy: NetworkPolicy;
  /** Index of the rule that now allows it. */
  at: number;
}

/** A rule of hosts alone that says everything else alike: it can take the hosts in. */
const canTake = (rule: NetworkRule | undefined, wanted: NetworkRule): boolean => {
  if (rule?.hosts === undefined || rule.presets !== undefined || rule.note !== undefined) return false;
  return rule.hosts.length < 256 && isSameJson({ ...rule, hosts: [] }, { ...wanted, hosts: [] });
};

/** The policy with the rule before index `at`. At the end it joins the last rule when that differs in its hosts only; `{}` stays open. */
export const insertRule = (policy: NetworkPolicy, rule: NetworkRule, at: number): InsertedRule => {
  if (!('rules' in policy)) return { policy, at: 0 };
  const { rules } = policy;
  const last = rules.at(-1);
  if (at >= rules.length && last !== undefined && canTake(last, rule)) {
    const joined = { ...last, hosts: [...new Set([...(last.hosts ?? []), ...(rule.hosts ?? [])])] };
    return { policy: { version: 'v1', rules: [...rules.slice(0, -1), joined] }, at: rules.length - 1 };
  }
  return { policy: { version: 'v1', rules: [...rules.slice(0, at), rule, ...rules.slice(at)] }, at };
};
