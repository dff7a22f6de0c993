// Decides what a policy says about one destination: the verdict, the reason, the rule. Pure; closed unless a rule opens.
// Leaves what is only known later (the resolved address, the first bytes) to who dials and looks. Source: NETWORK.md 1.2 and 1.3.
import { SandlotError } from '../base/errors.ts';
// The schema alone: the proxy's worker has no use for the other nouns of the contract.
import { type EgressReason, type EgressVerdict, type NetworkPolicy, networkPolicy } from '../contract/model/network.ts';
import type { ResolvedPresets } from '../contract/model.ts';
import { classifyAddress, type OwnAddresses, reservedName } from './address.ts';
import { readHost } from './destination.ts';
import { createEntryIndex, type EntryIndex } from './entry-index.ts';
import type { HostPattern } from './host-pattern.ts';
import { isPlainObject } from './plain-object.ts';
import { type PolicyEntry, policyEntries } from './policy-entries.ts';

/** A policy made ready to decide. */
export interface CompiledPolicy {
  unrestricted: boolean;
  policy: NetworkPolicy;
  entries: readonly PolicyEntry[];
  index: Pick<EntryIndex, 'first' | 'all'>;
  /** The addresses of this computer, of now: what no rule opens among them is blocked here already. */
  own?: () => OwnAddresses;
}

export interface Decision {
  verdict: EgressVerdict;
  reason: EgressReason;
  /** Index of the rule that decided; null when none did. */
  rule: number | null;
  /** How the bytes are to be looked at. */
  protocol: 'auto' | 'tcp';
  /** Whether the name may lead to a private address. */
  allowPrivate: boolean;
}

/** A host in canonical form, as readHost answers it, and a port. */
export interface Destination {
  host: string;
  port: number;
}

const unreadable = (cause: unknown): SandlotError =>
  new SandlotError('network_policy_not_supported', 'The stored network policy cannot be read, so nothing is opened by it.', {
    cause,
    nextAction: 'Save the network policy of the environment anew.',
  });

/** Makes a stored policy ready to decide. What is not exactly a policy is refused, never read as open. @throws network_policy_not_supported */
export const compilePolicy = (policy: NetworkPolicy, presets: ResolvedPresets, own?: () => OwnAddresses): CompiledPolicy => {
  const checked = networkPolicy.safeParse(policy);
  if (!checked.success || !isPlainObject(policy)) throw unreadable(checked.error);
  const index = createEntryIndex();
  try {
    const entries = policyEntries(policy, presets);
    for (const entry of entries) index.add(entry);
    const unrestricted = Object.keys(policy).length === 0;
    // Where all is open, no proxy stands before this computer's addresses.
    return { unrestricted, policy, entries, index, ...(own === undefined || unrestricted ? {} : { own }) };
  } catch (thrown) {
    throw unreadable(thrown);
  }
};

const blocked = (reason: EgressReason, rule: number | null = null): Decision => ({
  verdict: 'blocked',
  reason,
  rule,
  protocol: 'auto',
  allowPrivate: false,
});

/** Why no rule decided: a rule allows the host on other ports, the host is an address that no rule names, or there is none at all. */
const unmatched = ({ index }: CompiledPolicy, pattern: HostPattern, isPrivate: boolean): Decision => {
  if (index.all(pattern).some(({ action }) => action === 'allow')) return blocked('port_not_allowed');
  if (pattern.kind === 'name') return blocked('no_rule');
  return blocked(isPrivate ? 'private_address' : 'ip_literal');
};

const byRules = (compiled: CompiledPolicy, pattern: HostPattern, port: number, isPrivate: boolean): Decision => {
  const entry = compiled.index.first(pattern, port);
  if (entry === null) return unmatched(compiled, pattern, isPrivate);
  if (entry.action === 'deny') return blocked('denied_by_rule', entry.rule);
  if (isPrivate && !entry.allowPrivate) return blocked('private_address', entry.rule);
  return { verdict: 'allowed', reason: 'allowed', rule: entry.rule, protocol: entry.protocol, allowPrivate: entry.allowPrivate };
};

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/** Decides one destination. The floor comes first: what is reserved or special is blocked under every policy, `{}` too. */
export const decide = (compiled: CompiledPolicy, { host, port }: Destination): Decision => {
  const read = readHost(host);
  // Another spelling could slip past a deny rule.
  if (!read.ok || read.host !== host || !isPort(port)) return blocked('malformed_request');
  const addressClass = read.kind === 'name' ? null : classifyAddress(host.replace(/^\[|\]$/g, ''), compiled.own?.(), port);
  if (addressClass === 'special' || (addressClass === null && reservedName(host))) return blocked('special_address');
  if (compiled.unrestricted) return { verdict: 'allowed', reason: 'allowed', rule: null, protocol: 'auto', allowPrivate: true };
  return byRules(compiled, { kind: addressClass === null ? 'name' : 'address', key: host }, port, addressClass === 'private');
};
