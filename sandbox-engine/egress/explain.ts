// Says in a person's words what a policy does with a destination, and the narrowest rule that would allow it. One function for the proxy's
// answers, DNS, the tester and the app, so that none of them can tell another story. Source: NETWORK.md 1.2, 1.7 and 1.10.
import type { Attempt, EgressReason, Explanation, NetworkRule } from '../contract/model.ts';
import { classifyAddress } from './address.ts';
import { patternText, readPattern } from './host-pattern.ts';
import { type CompiledPolicy, type Decision, type Destination, decide } from './policy.ts';
import { readAsked } from './read-asked.ts';
import { addressOf, causeOf, type Finding, failureText, insteadOf } from './reason-words.ts';

// Ports whose usual protocols name no host, so that only a tcp rule lets them through.
const nameless = new Set([22, 1433, 1521, 3306, 5432, 5672, 6379, 9042, 9092, 9418, 11_211, 27_017]);

const printable = (text: string): string => text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?');

const rulesOf = ({ policy }: CompiledPolicy): readonly NetworkRule[] => ('rules' in policy ? policy.rules : []);

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
  const { host, port, decision } = finding;
  if (decision.verdict === 'allowed') return allowedBy(finding, compiled);
  const failure = failureText(`${host}:${port}`, decision.reason);
  if (failure !== null) return `${failure}. The policy does not stand in its way.`;
  return `The sandbox policy blocked ${host}:${port}: ${causeOf(finding, compiled)}.`;
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

/** What shows only on the connection and stays as it is when a rule is added: a rule has to say more, or there is none that helps. */
const beyondRules: ReadonlySet<EgressReason> = new Set([
  'private_address',
  'special_address',
  'not_recognised',
  'protocol_mismatch',
  'no_sni',
  'ech',
  'name_mismatch',
  'malformed_client_hello',
  'resolve_failed',
]);

const withSeen = (decision: Decision, seen: EgressReason | undefined): Decision => {
  if (seen === undefined || seen === 'allowed') return decision;
  const isAllThatLacks = openable.has(decision.reason) && !beyondRules.has(seen);
  if (decision.verdict === 'blocked' && (isAllThatLacks || !openable.has(decision.reason))) return decision;
  return { ...decision, verdict: 'blocked', reason: seen };
};

/**
 * Explains a URL, `host:port` or a destination that was read before. `seen` is a reason that showed only on the connection (the address
 * behind the name, the first bytes); it counts where the policy itself allows, or lacks nothing but a rule.
 */
export const explain = (compiled: CompiledPolicy, asked: string | Destination, seen?: EgressReason): Explanation => {
  const read = typeof asked === 'string' ? readAsked(asked) : { ok: true as const, destination: asked };
  if (!read.ok) return malformed(String(asked), read.detail);
  const { destination } = read;
  const decision = withSeen(decide(compiled, destination), seen);
  if (decision.reason === 'malformed_request') return malformed(`${destination.host}:${destination.port}`, '');
  const finding: Finding = { ...destination, decision };
  const rule = narrowestRule(finding);
  const instead = rule === null && decision.verdict === 'blocked' ? insteadOf(finding) : undefined;
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
    ...(instead === undefined ? {} : { instead }),
  };
};

type Tried = Pick<Attempt, 'host' | 'port' | 'verdict' | 'reason' | 'rule'>;

const whereOf = ({ host, port }: Tried): string => (host === null ? 'A connection' : `${host}${port === null ? '' : `:${port}`}`);

const findingOf = ({ host, port, verdict, reason, rule }: Tried): Finding => ({
  ...{ host: host ?? '', port: port ?? 0 },
  decision: { verdict, reason, rule, protocol: 'auto', allowPrivate: false },
});

/** Says what became of an attempt when it was made; its rule is that of the policy of then. */
export const explainAttempt = (compiled: CompiledPolicy, attempt: Tried): string => {
  const { verdict, reason, rule } = attempt;
  if (reason === 'observed') return `${whereOf(attempt)} passed because the sandbox was observed; no rule allowed it.`;
  if (verdict === 'allowed') {
    return rule === null
      ? `${whereOf(attempt)} was allowed: access was unrestricted, or a grant held.`
      : `${whereOf(attempt)} was allowed by rule ${rule + 1}.`;
  }
  const failure = failureText(whereOf(attempt), reason);
  if (failure !== null) return `${failure}. ${rule === null ? 'The policy did not stand in its way' : `Rule ${rule + 1} allows it`}.`;
  return `${whereOf(attempt)} was blocked: ${causeOf(findingOf(attempt), compiled)}.`;
};

/** What to do about an attempt that no rule would have let through; undefined where one would. */
export const insteadOfAttempt = (attempt: Tried): string | undefined =>
  attempt.verdict === 'allowed' || openable.has(attempt.reason) ? undefined : insteadOf(findingOf(attempt));
