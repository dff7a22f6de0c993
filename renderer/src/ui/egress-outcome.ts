// What became of an attempt, as the app speaks of it: what nobody forbade is not called blocked.
import type { EgressOutcome, EgressReason, EgressVerdict } from '../../../sandbox-engine/contract/model.ts';

type Tried = { verdict: EgressVerdict; reason: EgressReason };

const failures: readonly EgressReason[] = ['resolve_failed', 'upstream_failed'];

/** Allowed, blocked, or let through and then not found or not reached. */
export const outcomeOf = ({ verdict, reason }: Tried): EgressOutcome =>
  verdict === 'blocked' && failures.includes(reason) ? 'failed' : verdict;

/** The same in a word or two. */
export const outcomeWord = (tried: Tried): string => {
  const outcome = outcomeOf(tried);
  if (outcome === 'failed') return tried.reason === 'resolve_failed' ? 'Not found' : 'Not reached';
  return outcome === 'allowed' ? 'Allowed' : 'Blocked';
};

const openable: readonly EgressReason[] = [
  ...(['no_rule', 'denied_by_rule', 'port_not_allowed', 'ip_literal', 'private_address', 'not_recognised', 'policy_changed'] as const),
];

/** Whether a rule could have let it through, so that one is worth offering. */
export const canRuleHelp = ({ verdict, reason }: Tried): boolean => verdict === 'blocked' && openable.includes(reason);

/** Reasons whose code is no plain word. */
const special: Record<string, string> = {
  special_address: 'Reserved address',
  resolve_failed: 'No such name',
  upstream_failed: 'No answer',
  denied_by_rule: 'Denied by a rule',
  port_not_allowed: 'Port not allowed',
  not_recognised: 'Neither TLS nor HTTP',
  policy_changed: 'Rules changed',
  gate_down: 'Gate is down',
  no_sni: 'No name in TLS',
  ech: 'Name is hidden',
  ip_literal: 'Bare address',
  limit_exceeded: 'Too much at once',
};

/** `no_rule` as `No rule`. */
export const reasonWord = (reason: string): string => {
  const words = special[reason] ?? reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
