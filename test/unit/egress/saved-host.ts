// What becomes of one host in a policy with one allow rule: its saved spelling, or the codes and places of what is wrong with it.
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';

export type Extra = Record<string, unknown>;

/** The host as it is saved, else `code path, code path`. */
export const saved = (host: string, extra: Extra = {}): string => {
  const checked = checkPolicy({ version: 'v1', rules: [{ action: 'allow', hosts: [host], ...extra }] });
  if (checked.ok) return (checked.policy as { rules: { hosts: string[] }[] }).rules[0]?.hosts[0] ?? '';
  return checked.errors.map(({ code, path }) => `${code} ${path}`).join(', ');
};

/** A code at the one host of the one rule. */
export const at = (code: string): string => `${code} /rules/0/hosts/0`;
