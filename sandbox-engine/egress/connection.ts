// One connection of a sandbox: its two ends, what it is trying at the moment, and the time limit it is under. Who talks which protocol on
// it is not known here.
import type { Attempt, EgressReason } from '../contract/model/network.ts';
import type { AddressClass } from './address.ts';
import type { AskedNames } from './asked-names.ts';
import type { AttemptLog, AttemptNote } from './attempt-log.ts';
import type { Dial } from './dial.ts';
import { closeLeg, dropLeg, type Leg, legOf, listenToLeg } from './leg.ts';
import type { EgressLimits } from './limits.ts';
import type { Handle } from './listen-socket.ts';
import { decideLoaded, grantTime, type LoadedPolicy } from './loaded-policy.ts';
import type { Decision } from './policy.ts';
import type { Share } from './share.ts';
import { refusedAddress, type SyntheticPool } from './synthetic-pool.ts';
import type { Turns } from './turns.ts';
import type { Watch } from './watch.ts';

/** Bytes that a sandbox has sent beyond its gate, and got from there. */
export interface Traffic {
  sent: number;
  received: number;
}

/** What the connections of one sandbox share. */
export interface Sandbox {
  id: string;
  loaded: LoadedPolicy;
  connections: Set<Connection>;
  /** Of all exchanges that are over. */
  traffic: Traffic;
  pool: SyntheticPool;
  asked: AskedNames;
  limits: EgressLimits;
  dial: Dial;
  log: AttemptLog;
  turns: Turns;
  watch: Watch;
  share: Share;
}

/** A decision with the canonical destination that it is about. */
export interface Ruling extends Decision {
  host: string;
  kind: 'name' | 'ipv4' | 'ipv6';
  port: number;
}

interface Exchange {
  ruling: Ruling;
  protocol: Attempt['protocol'];
  startedAtMs: number;
  startedAt: number;
  sentBefore: number;
  receivedBefore: number;
  /** The id under which it was told of while open. */
  id: string | null;
}

interface Upstream {
  leg: Leg;
  host: string;
  port: number;
  addressClass: AddressClass;
}

export interface Connection {
  readonly sandbox: Sandbox;
  readonly client: Leg;
  mode: Attempt['mode'];
  upstream: Upstream | null;
  dialling: Leg | null;
  /** The last thing that was allowed on it. */
  ruling: Ruling | null;
  exchange: Exchange | null;
  /** Something that was blocked on it has been written down. */
  isNoted: boolean;
  /** Why it was closed from our side. */
  cut: { reason: EgressReason; detail: string } | null;
  limit: { ms: number; from: 'start' | 'move'; startedAt: number };
  movedBytes: number;
  movedAt: number;
}

/** An exchange that lasts longer is told of while it is open. */
const tellOpenAfterMs = 1_000;

/** Puts the connection under a limit: so long in all, or so long without a byte. */
export const limitConnection = (connection: Connection, ms: number, from: 'start' | 'move'): void => {
  connection.limit = { ms, from, startedAt: performance.now() };
};

/** Decides about a destination by the policy of this moment. */
export const ruleOn = ({ sandbox }: Connection, { host, kind, port }: Pick<Ruling, 'host' | 'kind' | 'port'>): Ruling => {
  const { verdict, reason, rule, protocol, allowPrivate } = decideLoaded(sandbox.loaded, { host, port }, grantTime());
  return { verdict, reason, rule, protocol, allowPrivate, host, kind, port };
};

/** Whether any protocol may be spoken to it on any port, since no rule says which. */
export const isLoose = ({ sandbox }: Connection, { reason }: Ruling): boolean =>
  reason === 'observed' || sandbox.loaded.compiled.unrestricted;

const noteOf = ({ sandbox, mode, upstream }: Connection, exchange: Exchange): AttemptNote => {
  const { ruling, protocol, startedAtMs, startedAt, sentBefore, receivedBefore, id } = exchange;
  const note: AttemptNote = {
    sandbox_id: sandbox.id,
    host: ruling.host,
    port: ruling.port,
    protocol,
    mode,
    verdict: ruling.verdict,
    reason: ruling.reason,
    rule: ruling.rule,
    detail: null,
    policy_revision: sandbox.loaded.revision,
    bytes_sent: Math.max(0, (upstream?.leg.sent ?? 0) - sentBefore),
    bytes_received: Math.max(0, (upstream?.leg.received ?? 0) - receivedBefore),
    duration_ms: Math.round(performance.now() - startedAt),
    startedAtMs,
  };
  if (id !== null) note.id = id;
  return note;
};

/** What has passed until now, that of open exchanges too. */
export const trafficOf = ({ traffic, connections }: Sandbox): Traffic => {
  const sum = { ...traffic };
  for (const connection of connections) {
    if (connection.exchange === null) continue;
    const { bytes_sent, bytes_received } = noteOf(connection, connection.exchange);
    sum.sent += bytes_sent;
    sum.received += bytes_received;
  }
  return sum;
};

/** Begins what an allowed destination is used for; an exchange with the same one that is open already goes on under its protocol. */
export const beginExchange = (connection: Connection, ruling: Ruling, protocol: Attempt['protocol']): void => {
  connection.ruling = ruling;
  const { exchange, upstream } = connection;
  if (exchange !== null) {
    exchange.ruling = ruling;
    exchange.protocol = protocol;
    return;
  }
  const isSame = upstream !== null && upstream.host === ruling.host && upstream.port === ruling.port;
  connection.exchange = {
    ruling,
    protocol,
    startedAtMs: Date.now(),
    startedAt: performance.now(),
    id: null,
    sentBefore: isSame ? upstream.leg.sent : 0,
    receivedBefore: isSame ? upstream.leg.received : 0,
  };
};

/** Ends the open exchange and writes it down; with a reason when it was blocked after all, be it by a policy that came later. */
export const endExchange = (connection: Connection, blocked?: { reason: EgressReason; detail: string | null }): void => {
  const { exchange, sandbox, cut } = connection;
  if (exchange === null) return;
  connection.exchange = null;
  const note = noteOf(connection, exchange);
  sandbox.traffic.sent += note.bytes_sent;
  sandbox.traffic.received += note.bytes_received;
  note.detail = cut?.detail ?? null;
  const why = cut?.reason === 'policy_changed' ? cut : blocked;
  sandbox.log.note(why === undefined ? note : { ...note, verdict: 'blocked', ...why });
};

/** What is known about a blocked attempt. */
export interface Blocked {
  host: string | null;
  port: number | null;
  protocol: Attempt['protocol'];
  reason: EgressReason;
  rule?: number | null;
  detail?: string | null;
}

/** Writes down an attempt that was blocked; it is the one of the open exchange, where there is one. */
export const noteBlocked = (connection: Connection, { host, port, protocol, reason, rule = null, detail = null }: Blocked): void => {
  const { exchange, sandbox, mode } = connection;
  const named = host === refusedAddress ? (sandbox.asked.only() ?? host) : host;
  connection.isNoted = true;
  if (named !== null) sandbox.asked.follow(named);
  if (exchange !== null) {
    exchange.protocol = protocol;
    endExchange(connection, { reason, detail });
    return;
  }
  sandbox.log.note({
    ...{ sandbox_id: sandbox.id, host: named, port, protocol, mode, verdict: 'blocked', reason, rule, detail },
    ...{ policy_revision: sandbox.loaded.revision, bytes_sent: 0, bytes_received: 0, duration_ms: 0, startedAtMs: Date.now() },
  });
};

const dropBeyond = ({ upstream, dialling }: Connection): void => {
  if (upstream !== null) closeLeg(upstream.leg);
  if (dialling !== null) dropLeg(dialling);
};

/** Closes the connection now and remembers why. */
export const cutConnection = (connection: Connection, reason: EgressReason, detail: string): void => {
  connection.cut ??= { reason, detail };
  dropLeg(connection.client);
  if (connection.upstream !== null) dropLeg(connection.upstream.leg);
  if (connection.dialling !== null) dropLeg(connection.dialling);
};

const check = (connection: Connection, now: number): void => {
  const { client, upstream, limit, exchange } = connection;
  const moved = client.received + client.sent + (upstream === null ? 0 : upstream.leg.received + upstream.leg.sent);
  if (moved !== connection.movedBytes) {
    connection.movedBytes = moved;
    connection.movedAt = now;
  }
  const from = limit.from === 'start' ? limit.startedAt : Math.max(limit.startedAt, connection.movedAt);
  if (now - from > limit.ms) cutConnection(connection, 'limit_exceeded', `Closed after ${limit.ms / 1_000} seconds without progress.`);
  else if (exchange !== null && exchange.id === null && now - exchange.startedAt > tellOpenAfterMs) {
    exchange.id = connection.sandbox.log.noteOpen(noteOf(connection, exchange));
  }
};

/** Opens the record of an accepted connection. Who opens it closes it. */
export const openConnection = (sandbox: Sandbox, handle: Handle): Connection & { check: (now: number) => void } => {
  const now = performance.now();
  const connection: Connection & { check: (now: number) => void } = {
    sandbox,
    client: legOf(sandbox.turns, handle),
    mode: 'transparent',
    upstream: null,
    dialling: null,
    ruling: null,
    exchange: null,
    isNoted: false,
    cut: null,
    movedBytes: 0,
    movedAt: now,
    limit: { ms: sandbox.limits.headMs, from: 'start', startedAt: now },
    check: (at) => check(connection, at),
  };
  listenToLeg(connection.client, () => {
    if (connection.client.closed) dropBeyond(connection);
  });
  sandbox.connections.add(connection);
  sandbox.watch.add(connection);
  return connection;
};
