// What an attempt showed that a policy alone does not know: the address behind the name, the first bytes. Another policy may let it pass all
// the same, and this says which. Pure.
import type { EgressReason, EgressTally } from '../contract/model.ts';
import type { Decision } from './policy.ts';

type Test = (decision: Decision) => boolean;

const never: Test = () => false;
const unseen: Test = ({ protocol }) => protocol === 'tcp';

/** Reasons that no rule about host and port gave; what a later decision must be to let the same attempt pass. */
const passes: Partial<Record<EgressReason, Test>> = {
  private_address: ({ allowPrivate }) => allowPrivate,
  not_recognised: unseen,
  protocol_mismatch: unseen,
  no_sni: unseen,
  ech: unseen,
  name_mismatch: unseen,
  malformed_client_hello: unseen,
  special_address: never,
  malformed_request: never,
  limit_exceeded: never,
  resolve_failed: never,
  upstream_failed: never,
  gate_down: never,
};

/** Ports on which only one protocol may be spoken when the bytes are looked at. */
const spoken: Record<number, EgressTally['protocol']> = { 443: 'tls', 80: 'http' };

/** What a later attempt of another kind does not change: where a name leads, and what is spoken there. */
const lasting: ReadonlySet<EgressReason> = new Set(['private_address', 'special_address', 'not_recognised']);

type Look = Pick<EgressTally, 'verdict' | 'reason' | 'last_at'>;

/** The newest of them. */
export const newestOf = <T extends Pick<EgressTally, 'last_at'>>(tallies: readonly T[]): T | undefined =>
  tallies.reduce<T | undefined>((best, one) => (best === undefined || one.last_at > best.last_at ? one : best), undefined);

/**
 * Of what was tried at one destination what says most about it: the newest, or where no rule let that one through, the newest that showed
 * something lasting.
 */
export const tellingLook = <T extends Look>(tallies: readonly T[]): T | undefined => {
  const last = newestOf(tallies);
  if (last === undefined || last.verdict === 'allowed' || last.reason in passes) return last;
  return newestOf(tallies.filter(({ verdict, reason }) => verdict === 'allowed' || lasting.has(reason))) ?? last;
};

const readable = ({ port, protocol, reason }: Pick<EgressTally, 'port' | 'protocol' | 'reason'>): EgressReason | undefined => {
  // What is observed is looked at first: what counts as `tcp` there was neither TLS nor HTTP.
  if (reason === 'observed' && protocol === 'tcp') return 'not_recognised';
  const only = spoken[port ?? 0];
  if (only === undefined) return protocol === 'tcp' ? 'not_recognised' : undefined;
  // Of bytes that were not looked at, nobody knows that they were not what this port carries.
  return (protocol === 'tls' || protocol === 'http') && protocol !== only ? 'protocol_mismatch' : undefined;
};

/**
 * Why the same attempt would be blocked although the rules allow its host and port; undefined when it would pass. The decision is an
 * allowing one.
 */
export const blockedByWhatWasSeen = (
  decision: Decision,
  attempt: Pick<EgressTally, 'port' | 'protocol' | 'verdict' | 'reason'>,
): EgressReason | undefined => {
  if (attempt.verdict === 'blocked') return (passes[attempt.reason] ?? (() => true))(decision) ? undefined : attempt.reason;
  return decision.protocol === 'tcp' ? undefined : readable(attempt);
};
