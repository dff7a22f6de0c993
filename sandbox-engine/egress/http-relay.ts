// Talks HTTP/1 with a sandbox: one request after the other, each decided by itself, answered in their order. CONNECT is handed on.
// Source: NETWORK.md 1.5; D01-D39.
import type { Attempt } from '../contract/model/network.ts';
import { type Connection, isLoose, limitConnection, noteBlocked, type Ruling, ruleOn } from './connection.ts';
import { runExchange } from './http-exchange.ts';
import { drainLeg, dropLeg, readLeg, skipLeg } from './leg.ts';
import { type BadRequest, type RequestHead, readHttpHead } from './read-http-head.ts';
import { type RequestTarget, readTarget } from './read-target.ts';
import { answerRefused, lingerAndClose } from './refuse.ts';
import { shareOf } from './share.ts';

/** Where a connection leads before a byte of it is read. */
export interface Place {
  port: number;
  /** The host that it is for; null when only an address is known, which is then not believed. */
  host: { host: string; kind: Ruling['kind'] } | null;
  /** The address as a host, where `host` is null. */
  literal: { host: string; kind: Ruling['kind'] } | null;
  /** Stands for names that were refused when they were looked up. */
  isSentinel: boolean;
}

/** A request to a proxy, or a connection that was made to a place. */
export type HttpContext =
  | { mode: 'explicit'; onConnect: (head: RequestHead, target: ConnectTarget) => Promise<void> }
  | { mode: 'place'; place: Place };

export type ConnectTarget = Extract<RequestTarget, { form: 'connect' }>;
type HttpTarget = Extract<RequestTarget, { form: 'http' }>;

const tlsPort = 443;

// The next head; what comes slowly is closed by the connection's limit.
const nextHead = (connection: Connection): Promise<RequestHead | BadRequest | { state: 'more' } | null> => {
  let seen = 0;
  return readLeg(connection.client, (bytes) => {
    if (seen === 0) limitConnection(connection, connection.sandbox.limits.headMs, 'start');
    const found = readHttpHead(bytes, seen);
    seen = bytes.length;
    return found;
  });
};

const placeOf = (context: HttpContext): { host: string; port: number } | null => {
  if (context.mode === 'explicit') return null;
  const { host, literal, port } = context.place;
  const known = host ?? literal;
  return known === null ? null : { host: known.host, port };
};

const refuseBad = async (connection: Connection, context: HttpContext, bad: BadRequest): Promise<void> => {
  const { status, reason, detail } = bad;
  const destination = placeOf(context);
  if (reason === 'not_recognised') {
    // Whoever speaks something else would not understand an answer.
    const isLiteral = context.mode === 'place' && context.place.host === null;
    const why = isLiteral ? reasonOfLiteral(connection, context.place) : reason;
    noteBlocked(connection, { host: destination?.host ?? null, port: destination?.port ?? null, protocol: 'unknown', reason: why, detail });
    dropLeg(connection.client);
    return;
  }
  answerRefused(connection, { status, reason, detail, destination, protocol: 'http', method: 'GET', keepAlive: false });
  await lingerAndClose(connection);
};

/** Why a connection to an address that says no host is refused. */
export const reasonOfLiteral = (connection: Connection, { literal, port, isSentinel }: Place): Ruling['reason'] => {
  if (isSentinel || literal === null) return 'no_rule';
  const { verdict, reason } = ruleOn(connection, { ...literal, port });
  return verdict === 'allowed' ? 'not_recognised' : reason;
};

/** Refuses a request that could be read; the connection goes on when nothing of it is left to come. */
const refuse = async (
  connection: Connection,
  head: RequestHead,
  refused: {
    status: number;
    reason: Ruling['reason'];
    detail: string | null;
    destination: Pick<Ruling, 'host' | 'port'> | null;
    rule?: number | null;
  },
): Promise<'next' | 'closed'> => {
  const protocol: Attempt['protocol'] = 'http';
  const keepAlive = head.keepAlive && head.framing.kind === 'none' && head.method !== 'CONNECT' && refused.status === 403;
  answerRefused(connection, { ...refused, protocol, method: head.method, keepAlive });
  if (keepAlive) return 'next';
  await lingerAndClose(connection);
  return 'closed';
};

const isOtherHost = (context: HttpContext, host: string): boolean =>
  context.mode === 'place' && context.place.host !== null && context.place.host.host !== host;

const serveHttpTarget = async (
  connection: Connection,
  context: HttpContext,
  head: RequestHead,
  target: HttpTarget,
): Promise<'next' | 'closed'> => {
  const { host, kind, port, path } = target;
  if (isOtherHost(context, host)) {
    const detail = `The request names ${host}, the connection is for ${placeOf(context)?.host}.`;
    return await refuse(connection, head, { status: 400, reason: 'name_mismatch', detail, destination: { host, port } });
  }
  const ruling = ruleOn(connection, { host, kind, port });
  const about = { detail: null, destination: { host, port }, rule: ruling.rule };
  if (ruling.verdict === 'blocked') return await refuse(connection, head, { status: 403, reason: ruling.reason, ...about });
  const isForTls = port === tlsPort && ruling.protocol === 'auto' && !isLoose(connection, ruling);
  if (isForTls) return await refuse(connection, head, { status: 403, reason: 'protocol_mismatch', ...about });
  return await runExchange(connection, { head, path, ruling });
};

const serveRequest = async (connection: Connection, context: HttpContext, head: RequestHead): Promise<'next' | 'closed'> => {
  const target = readTarget(head, context.mode === 'explicit' ? { mode: 'explicit' } : { mode: 'transparent', port: context.place.port });
  if (!target.ok) {
    const { status, reason, detail } = target;
    return await refuse(connection, head, { status, reason, detail, destination: placeOf(context) });
  }
  if (target.form === 'http') return await serveHttpTarget(connection, context, head, target);
  if (context.mode === 'explicit') await context.onConnect(head, target);
  return 'closed';
};

/** Serves requests until one of the ends has had enough. The first head is under the limit that the connection is under already. */
export const serveHttp = async (connection: Connection, context: HttpContext): Promise<void> => {
  const { client, sandbox } = connection;
  for (;;) {
    const head = await nextHead(connection);
    if (head === null || head.state === 'more') return;
    if (head.state === 'bad') {
      await refuseBad(connection, context, head);
      return;
    }
    skipLeg(client, head.headBytes);
    if ((await serveRequest(connection, context, head)) === 'closed') return;
    // Neither answers that nobody reads may pile up, nor requests that were answered unread; those that came in a row leave others their turn.
    await drainLeg(client);
    if (connection.upstream !== null) await drainLeg(connection.upstream.leg);
    await shareOf(sandbox.share);
    limitConnection(connection, sandbox.limits.idleMs, 'move');
  }
};
