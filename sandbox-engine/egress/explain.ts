// Says in a person's words what a policy does with a destination, and the narrowest rule that would allow it. One function for the proxy's
// answers, DNS, the tester and the app, so that none of them can tell another story. Source: NETWORK.md 1.2, 1.7 and 1.10.
import type { Attempt, EgressReason, Explanation, NetworkRule } from '../contract/model.ts';
import { classifyAddress } from './address.ts';
import { patternText, readPattern } from './host-pattern.ts';
import { type CompiledPolicy, type Decision, type Destination, decide } from './policy.ts';
import { readAsked } from './read-asked.ts';

// Ports whose usual protocols name no host, so that only a tcp rule lets them through.
const nameless = new Set([22, 1433, 1521, 3306, 5432, 5672, 6379, 9042, 9092, 9418, 11_211, 27_017]);

const printable = (text: string): string => text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?');

const addressOf = (host: string): string | null => (readPattern(host)?.kind === 'address' ? host.replace(/^\[|\]$/g, '') : null);

const rulesOf = ({ policy }: CompiledPolicy): readonly NetworkRule[] => ('rules' in policy ? policy.rules : []);

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

/** What was found out about one destination: the decision, or what was seen later on the connection. */
interface Finding extends Destination {
  decision: Decision;
}

const whySpecial = (host: string): string => {
  if (addressOf(host) !== null) return 'it is an address that no rule can allow';
  if (!host.includes('.') && host !== 'localhost') return 'a name without a domain is never looked up';
  return 'the name means or leads to this computer, its neighbours or a metadata service, which no rule can allow';
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
      ? 'the name leads to a private address, which its rule does not allow'
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

const allowedBy = ({ host, port, decision }: Finding, compiled: CompiledPolicy): string => {
  const where = `${host}:${port}`;
  if (compiled.unrestricted) return `${where} is allowed: this environment has unrestricted access.`;
  const pattern = readPattern(host);
  const entry = pattern === null ? null : compiled.index.first(pattern, port);
  const as = entry === null ? '' : ` (${entry.preset === null ? '' : `preset ${entry.preset}, `}"${patternText(entry.pattern)}")`;
  const unseen = decision.protocol === 'tcp' ? ' The bytes are not looked at.' : '';
  return `${where} is allowed by rule ${(decision.rule ?? 0) + 1}${as}.${unseen}`;
};

const sentenceOf = (finding: Finding, compiled: CompiledPolicy): string => {
  if (finding.decision.verdict === 'allowed') return allowedBy(finding, compiled);
  return `The sandbox policy blocked ${finding.host}:${finding.port}: ${causes[finding.decision.reason](finding, compiled)}.`;
};

const openable: ReadonlySet<EgressReason> = new Set([
  'no_rule',
  'denied_by_rule',
  'port_not_allowed',
  'ip_literal',
  'private_address',
  'not_recognised',
]);

/** This host and this port, nothing wider; null when no rule can allow it. */
const narrowestRule = ({ host, port, decision }: Finding): NetworkRule | null => {
  if (decision.verdict === 'allowed' || !openable.has(decision.reason)) return null;
  const address = addressOf(host);
  const needsPrivate = decision.reason === 'private_address' || (address !== null && classifyAddress(address) === 'private');
  const needsTcp = decision.reason === 'not_recognised' || nameless.has(port);
  return {
    action: 'allow',
    hosts: [host],
    ports: [port],
    ...(needsTcp ? { protocol: 'tcp' as const } : {}),
    ...(needsPrivate ? { allow_private: true } : {}),
  };
};

const malformed = (text: string, detail: string): Explanation => ({
  destination: printable(text),
  host: null,
  port: null,
  verdict: 'blocked',
  reason: 'malformed_request',
  rule: null,
  how_to_allow: null,
  insert_at: null,
  sentence: `The sandbox policy blocks "${printable(text)}": it is not a host that can be reached. ${detail}`,
});

const withSeen = (decision: Decision, seen: EgressReason | undefined): Decision =>
  seen === undefined || seen === 'allowed' || decision.verdict === 'blocked' ? decision : { ...decision, verdict: 'blocked', reason: seen };

/**
 * Explains a URL, `host:port` or a destination that was read before. `seen` is a reason that showed only on the connection (the address
 * behind the name, the first bytes); it counts where the policy itself allows.
 */
export const explain = (compiled: CompiledPolicy, asked: string | Destination, seen?: EgressReason): Explanation => {
  const read = typeof asked === 'string' ? readAsked(asked) : { ok: true as const, destination: asked };
  if (!read.ok) return malformed(String(asked), read.detail);
  const { destination } = read;
  const decision = withSeen(decide(compiled, destination), seen);
  if (decision.reason === 'malformed_request') return malformed(`${destination.host}:${destination.port}`, '');
  const finding: Finding = { ...destination, decision };
  const rule = narrowestRule(finding);
  return {
    destination: `${destination.host}:${destination.port}`,
    host: destination.host,
    port: destination.port,
    verdict: decision.verdict,
    reason: decision.reason,
    rule: decision.rule,
    how_to_allow: rule,
    insert_at: rule === null ? null : (decision.rule ?? rulesOf(compiled).length),
    sentence: sentenceOf(finding, compiled),
  };
};

type Tried = Pick<Attempt, 'host' | 'port' | 'verdict' | 'reason' | 'rule'>;

const whereOf = ({ host, port }: Tried): string => (host === null ? 'A connection' : `${host}${port === null ? '' : `:${port}`}`);

/** Says what became of an attempt when it was made; its rule is that of the policy of then. */
export const explainAttempt = (compiled: CompiledPolicy, attempt: Tried): string => {
  const { host, port, verdict, reason, rule } = attempt;
  if (reason === 'observed') return `${whereOf(attempt)} passed because the sandbox was observed; no rule allowed it.`;
  if (verdict === 'allowed') {
    return rule === null
      ? `${whereOf(attempt)} was allowed: access was unrestricted, or a grant held.`
      : `${whereOf(attempt)} was allowed by rule ${rule + 1}.`;
  }
  const decision: Decision = { verdict, reason, rule, protocol: 'auto', allowPrivate: false };
  return `${whereOf(attempt)} was blocked: ${causes[reason]({ host: host ?? '', port: port ?? 0, decision }, compiled)}.`;
};
