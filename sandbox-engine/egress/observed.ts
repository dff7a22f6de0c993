// What an observed sandbox may reach beyond its rules: everything public, and nothing that a rule denies. Pure.
// Source: SPEC.md 6 (observe); NETWORK.md 1.3: the floor is under this too, and the dialler judges where a name leads.
import type { EgressReason } from '../contract/model/network.ts';
import type { Decision, Destination } from './policy.ts';

/** Reasons that stand for nothing but the lack of a rule. */
const lifted: ReadonlySet<EgressReason> = new Set(['no_rule', 'port_not_allowed', 'ip_literal']);

/** Lets pass what only no rule allows. Names that cannot exist stay closed, since nobody is to be asked for them. Source: RFC 6761. */
export const observedDecision = (decision: Decision, { host }: Destination): Decision => {
  if (!lifted.has(decision.reason) || host.endsWith('.invalid')) return decision;
  return { verdict: 'allowed', reason: 'observed', rule: null, protocol: 'auto', allowPrivate: false };
};

export type FirstWord = { state: 'more' } | { state: 'tls' | 'http' | 'other' };

const tlsHandshake = 0x16;
const longestMethod = 10;

/** How a connection begins that nobody has to be able to read: what it is counted as, and what a rule for it has to say. */
export const readFirstWord = (bytes: Buffer): FirstWord => {
  if (bytes[0] === tlsHandshake) return { state: 'tls' };
  const text = bytes.toString('latin1', 0, longestMethod + 1);
  if (/^[A-Z]{3,10} /.test(text) && !text.startsWith('PRI ')) return { state: 'http' };
  return /^[A-Z]+$/.test(text) && text.length <= longestMethod ? { state: 'more' } : { state: 'other' };
};
