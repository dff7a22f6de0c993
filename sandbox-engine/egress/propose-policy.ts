// Makes the smallest policy that covers what was contacted: exact hosts, exactly their ports, never a wildcard. Pure.
// Source: SPEC.md 12 (observe, propose, enforce); NETWORK.md 1.10 (never a wildcard suggestion).
import type { EgressReason, EgressTally, LeftOutDestination, NetworkPolicy, NetworkRule } from '../contract/model.ts';
import { classifyAddress, reservedName } from './address.ts';
import { readHost } from './destination.ts';
import { type CompiledPolicy, type Destination, decide } from './policy.ts';
import { defaultPorts } from './policy-entries.ts';

/** How a destination has to be allowed. */
interface Way {
  host: string;
  port: number;
  isTcp: boolean;
  isPrivate: boolean;
}

const most = { hostsARule: 256, portsARule: 32 };

/** Reasons that a rule can answer. */
const openable: ReadonlySet<EgressReason> = new Set([
  'no_rule',
  'denied_by_rule',
  'port_not_allowed',
  'ip_literal',
  'private_address',
  'not_recognised',
  'policy_changed',
]);

const canNever = (host: string): boolean => {
  const read = readHost(host);
  if (!read.ok || read.host !== host) return true;
  return read.kind === 'name' ? reservedName(host) : classifyAddress(host.replace(/^\[|\]$/g, '')) === 'special';
};

/** Ports on which a rule that looks at the bytes lets one protocol through only. */
const spokenOn: Record<number, EgressTally['protocol']> = { 443: 'tls', 80: 'http' };

/** Whether only a rule that does not look at the bytes lets it through. */
const needsTcp = ({ port, protocol, reason }: EgressTally): boolean => {
  if (protocol === 'tcp' || reason === 'not_recognised') return true;
  const only = spokenOn[port ?? 0];
  return only !== undefined && (protocol === 'tls' || protocol === 'http') && protocol !== only;
};

const isPrivateAddress = (host: string): boolean => {
  const read = readHost(host);
  return read.ok && read.kind !== 'name' && classifyAddress(host.replace(/^\[|\]$/g, '')) === 'private';
};

interface Known {
  /** What the policy in force allows into private networks: where a name led is not kept, and the rule was there because it led to one. */
  wasPrivate: (destination: Destination) => boolean;
  /** Addresses of this computer that no rule opens. */
  isOwn: (destination: Destination) => boolean;
}

type Judged = { way: Way } | { leftOut: LeftOutDestination };

/** Why nothing of it can be covered. */
const becauseOf = (tallies: readonly EgressTally[]): LeftOutDestination['because'] => {
  if (tallies.some(({ reason }) => reason === 'upstream_failed')) return 'not_reached';
  return tallies.some(({ reason }) => reason === 'resolve_failed') ? 'not_found' : 'never_allowed';
};

const judge = (tallies: readonly EgressTally[], includeBlocked: boolean, { wasPrivate, isOwn }: Known): Judged => {
  const { host = null, port = null } = tallies[0] ?? {};
  const attempts = tallies.reduce((sum, tally) => sum + tally.attempts, 0);
  const leftOut = (because: LeftOutDestination['because']): Judged => ({ leftOut: { host, port, attempts, because } });
  if (host === null || port === null) return leftOut('no_host');
  if (canNever(host) || isOwn({ host, port })) return leftOut('never_allowed');
  const allowed = tallies.filter(({ verdict }) => verdict === 'allowed');
  const used = allowed.length > 0 ? allowed : tallies.filter(({ reason }) => openable.has(reason));
  if (used.length === 0) return leftOut(becauseOf(tallies));
  if (allowed.length === 0 && !includeBlocked) return leftOut('was_blocked');
  return {
    way: {
      host,
      port,
      isTcp: used.some(needsTcp),
      isPrivate: isPrivateAddress(host) || used.some(({ reason }) => reason === 'private_address') || wasPrivate({ host, port }),
    },
  };
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const isAddress = (host: string): boolean => {
  const read = readHost(host);
  return read.ok && read.kind !== 'name';
};

const ruleOf = (hosts: string[], ports: number[], { isTcp, isPrivate }: Way): NetworkRule => {
  const usual = !isTcp && ports.length === defaultPorts.length && defaultPorts.every((port) => ports.includes(port));
  return {
    action: 'allow',
    hosts,
    ...(usual && !hosts.some(isAddress) ? {} : { ports }),
    ...(isTcp ? { protocol: 'tcp' as const } : {}),
    ...(isPrivate ? { allow_private: true } : {}),
  };
};

const sorted = (ports: Iterable<number>): number[] => [...new Set(ports)].sort((left, right) => left - right);

const makeRules = (first: Way, hosts: Iterable<string>, ports: Iterable<number>): NetworkRule[] =>
  chunks([...new Set(hosts)].sort(), most.hostsARule).flatMap((someHosts) =>
    chunks(sorted(ports), most.portsARule).map((somePorts) => ruleOf(someHosts, somePorts, first)),
  );

/** Rules for ways that are allowed alike: hosts with the same ports together, or a rule a port, whichever is less. */
const rulesOf = (ways: readonly Way[]): NetworkRule[] => {
  const [first] = ways;
  if (first === undefined) return [];
  const portsOf = (of: Way): number[] => sorted(ways.filter(({ host }) => host === of.host).map(({ port }) => port));
  const byPorts = groupBy(ways, (way) => portsOf(way).join());
  const byPort = groupBy(ways, ({ port }) => String(port));
  const groups = byPort.length < byPorts.length ? byPort : byPorts;
  return groups.flatMap((group) =>
    makeRules(
      first,
      group.map(({ host }) => host),
      group.map(({ port }) => port),
    ),
  );
};

/**
 * The policy, not checked yet, and what it leaves out. `inForce` is the one under which it was contacted. `includeBlocked` covers what was
 * only ever blocked too, where a rule can allow it.
 */
export const proposePolicy = (
  tallies: readonly EgressTally[],
  { inForce, includeBlocked = false }: { inForce: CompiledPolicy | null; includeBlocked?: boolean },
): { policy: NetworkPolicy; destinations: number; leftOut: LeftOutDestination[] } => {
  const tried = tallies.filter(({ protocol }) => protocol !== 'dns');
  const known: Known = {
    wasPrivate: (one) => inForce !== null && !inForce.unrestricted && decide(inForce, one).allowPrivate,
    isOwn: (one) => inForce !== null && decide(inForce, one).reason === 'special_address',
  };
  const judged = groupBy(tried, ({ host, port }) => `${host}:${port}`).map((group) => judge(group, includeBlocked, known));
  const ways = judged.flatMap((one) => ('way' in one ? [one.way] : []));
  const leftOut = judged.flatMap((one) => ('leftOut' in one ? [one.leftOut] : []));
  const alike = groupBy(ways, ({ isTcp, isPrivate }) => `${isTcp} ${isPrivate}`);
  return {
    policy: { version: 'v1', rules: alike.flatMap(rulesOf) },
    destinations: ways.length,
    leftOut: leftOut.sort((left, right) => right.attempts - left.attempts),
  };
};
