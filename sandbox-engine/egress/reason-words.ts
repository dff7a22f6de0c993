// Why something was blocked or failed, in a person's words, and what to do where no rule helps. Pure.
// Source: NETWORK.md 1.3 (what no rule opens) and 1.7 (codes).
import type { EgressReason } from '../contract/model.ts';
import { reservedName } from './address.ts';
import { readPattern } from './host-pattern.ts';
import type { CompiledPolicy, Decision, Destination } from './policy.ts';

/** What was found out about one destination: the decision, or what was seen later on the connection. */
export interface Finding extends Destination {
  decision: Decision;
}

/** The address that a host is; null for a name. */
export const addressOf = (host: string): string | null => (readPattern(host)?.kind === 'address' ? host.replace(/^\[|\]$/g, '') : null);

const listed = (ports: readonly number[]): string =>
  ports.length < 2 ? `port ${ports.join('')}` : `ports ${ports.slice(0, -1).join(', ')} and ${ports.at(-1)}`;

/** The ports on which rules allow the host, and which rules these are. */
const otherPorts = ({ index, entries }: CompiledPolicy, host: string): string => {
  const pattern = readPattern(host);
  const allowing = pattern === null ? [] : index.all(pattern).filter(({ action }) => action === 'allow');
  // An attempt is also told of when its policy has been changed since.
  if (allowing.length === 0) return 'no rule allows this port of it';
  const ports = [...new Set(allowing.flatMap((entry) => entry.ports ?? []))].sort((left, right) => left - right);
  const rule = Math.min(...allowing.map((entry) => entry.rule), entries.length);
  return `rule ${rule + 1} allows this host on ${listed(ports)} only`;
};

const isWithoutDomain = (host: string): boolean => !host.includes('.') && host !== 'localhost';

const whySpecial = (host: string): string => {
  if (addressOf(host) !== null) return 'it is an address that no rule can allow';
  if (isWithoutDomain(host)) return 'a name without a domain is never looked up';
  if (reservedName(host)) return 'the name means this computer or its neighbours, which no rule can allow';
  return 'the name leads to a reserved address (this computer, its neighbours or a metadata service), which no rule can allow';
};

const causes: Record<EgressReason, (finding: Finding, compiled: CompiledPolicy) => string> = {
  allowed: () => 'it is allowed',
  observed: () => 'the sandbox was observed, and no rule allows it',
  no_rule: () => 'no rule names this host',
  denied_by_rule: ({ decision }) => `rule ${(decision.rule ?? 0) + 1} denies it`,
  port_not_allowed: ({ host }, compiled) => otherPorts(compiled, host),
  ip_literal: () => 'no rule names this address, and an address says no name that a rule could match',
  private_address: ({ host }) =>
    addressOf(host) === null
      ? 'the name leads to a private address, which only a rule with "allow_private": true opens'
      : 'it is a private address, which no rule allows',
  special_address: ({ host }) => whySpecial(host),
  name_mismatch: () => 'the connection names two different hosts',
  no_sni: () => 'the TLS connection does not say which host it is for',
  ech: () => 'the TLS connection hides which host it is for (ECH); turn Encrypted Client Hello off in the client',
  not_recognised: () => 'the first bytes are neither TLS nor HTTP; only a rule with "protocol": "tcp" lets other protocols through',
  protocol_mismatch: ({ port }) => `port ${port} carries ${port === 80 ? 'HTTP' : 'TLS'} only`,
  malformed_request: () => 'the request cannot be read as one that names a host',
  malformed_client_hello: () => 'the TLS greeting cannot be read',
  limit_exceeded: () => 'the sandbox has too much open at once',
  resolve_failed: () => 'the name could not be looked up',
  upstream_failed: () => 'the host could not be reached',
  policy_changed: () => 'the policy was changed and no longer allows it',
  gate_down: () => 'the gate of this sandbox is down, and without it nothing passes',
};

/** Why it was blocked, as the second half of a sentence. */
export const causeOf = (finding: Finding, compiled: CompiledPolicy): string => causes[finding.decision.reason](finding, compiled);

/** What to say of what nobody forbade, without its end; null for what was blocked. */
export const failureText = (where: string, reason: EgressReason): string | null => {
  if (reason === 'resolve_failed') return `${where} was not found: the name could not be looked up`;
  return reason === 'upstream_failed' ? `${where} could not be reached` : null;
};

const insteadOfSpecial = (host: string): string => {
  if (addressOf(host) !== null)
    return 'Run the service inside the sandbox, or reach it at a public address, or at its address in your network (not one of this computer\'s bridges) with a rule that says "allow_private": true.';
  if (isWithoutDomain(host)) return 'Use the whole name of the host, with its domain.';
  return 'Run the service inside the sandbox, or let its name lead to a public address, or to an address in your network (not one of this computer\'s bridges) with a rule that says "allow_private": true.';
};

/** What to do where no rule helps; undefined where there is no more to say. */
export const insteadOf = ({ host, decision: { reason } }: Finding): string | undefined => {
  if (reason === 'special_address') return insteadOfSpecial(host);
  if (reason === 'resolve_failed') return 'Check the spelling of the name, and the connection of this computer.';
  return reason === 'upstream_failed' ? 'Check that the host is up, and the connection of this computer.' : undefined;
};
