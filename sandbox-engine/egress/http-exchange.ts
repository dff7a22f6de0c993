// One request that was allowed, and its answer: writes the head anew, passes both bodies at the same time, and says what becomes of the
// connection. Source: RFC 9112 9; NETWORK.md D08-D11, D25, D32, D37-D39.
import { createBodyFramer } from './body-framer.ts';
import type { BodyFraming } from './body-framing.ts';
import { beginExchange, type Connection, endExchange, limitConnection, type Ruling } from './connection.ts';
import type { Dialled } from './dial.ts';
import { drainLeg, dropLeg, type Leg, readLeg, skipLeg, writeLeg } from './leg.ts';
import { reachUpstream } from './reach-upstream.ts';
import type { RequestHead } from './read-http-head.ts';
import { type ResponseHead, readResponseHead } from './read-response-head.ts';
import { answerRefused, lingerAndClose } from './refuse.ts';
import { type BodyEnd, relayBody } from './relay-body.ts';
import { runTunnel } from './tunnel.ts';
import { writeRequestHead, writeResponseHead } from './write-head.ts';

/** A request with what was decided about it. */
export interface AllowedRequest {
  head: RequestHead;
  path: string;
  ruling: Ruling;
}

/** Whether the client may send another request on this connection. */
type Next = 'next' | 'closed';

/** Heads that may come before the answer itself. */
const mostInterims = 16;

/** Methods that may be sent again when nobody knows whether the first try arrived. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

const isThere = (framing: BodyFraming): boolean => framing.kind !== 'none' && (framing.kind !== 'length' || framing.bytes > 0);

const hasBody = ({ framing }: RequestHead): boolean => isThere(framing);

/** Answers a request whose destination was not reached. */
export const answerUnreached = async (
  connection: Connection,
  request: AllowedRequest,
  failed: Extract<Dialled, { ok: false }>,
): Promise<Next> => {
  const { head, ruling } = request;
  const isPolicy = failed.reason === 'private_address' || failed.reason === 'special_address';
  const keepAlive = head.keepAlive && !hasBody(head) && head.method !== 'CONNECT';
  answerRefused(connection, {
    ...{ status: isPolicy ? 403 : 502, reason: failed.reason, detail: failed.detail, destination: ruling, rule: ruling.rule },
    ...{ protocol: 'http' as const, method: head.method, keepAlive },
  });
  if (keepAlive) return 'next';
  await lingerAndClose(connection);
  return 'closed';
};

// The answer's head; heads that only come before it go on to the client. A text says what is wrong; null: the upstream is gone.
const readAnswer = async (client: Leg, upstream: Leg, head: RequestHead): Promise<ResponseHead | string | null> => {
  for (let interims = 0; interims <= mostInterims; interims += 1) {
    let seen = 0;
    const read = await readLeg(upstream, (bytes) => {
      const found = readResponseHead(bytes, head, seen);
      seen = bytes.length;
      return found;
    });
    if (read === null) return null;
    if (read.state === 'bad') return read.detail;
    if (read.state === 'more') return null;
    skipLeg(upstream, read.headBytes);
    if (read.kind !== 'interim') return read;
    if (head.version === '1.1') writeLeg(client, writeResponseHead(read, { keepAlive: true }));
  }
  return 'The server sends one interim answer after the other.';
};

const switchProtocol = async (connection: Connection, upstream: Leg, answer: ResponseHead): Promise<Next> => {
  const { client, sandbox } = connection;
  writeLeg(client, writeResponseHead(answer, { keepAlive: true }));
  limitConnection(connection, sandbox.limits.idleMs, 'move');
  await runTunnel(client, upstream, () => limitConnection(connection, sandbox.limits.halfOpenMs, 'move'));
  endExchange(connection);
  return 'closed';
};

const giveUp = async (
  connection: Connection,
  request: AllowedRequest,
  reason: 'upstream_failed' | 'malformed_request',
  detail: string,
): Promise<Next> => {
  answerRefused(connection, {
    ...{ status: reason === 'upstream_failed' ? 502 : 400, reason, detail, destination: request.ruling, rule: request.ruling.rule },
    ...{ protocol: 'http' as const, method: request.head.method, keepAlive: false },
  });
  await lingerAndClose(connection);
  return 'closed';
};

/** The request on its way: `sent` is how its body ended, null while it goes on. */
interface Sending {
  sent: BodyEnd | null;
}

const sendRequest = ({ client, sandbox }: Connection, upstream: Leg, { head, path, ruling }: AllowedRequest): Sending => {
  const host = ruling.port === 80 ? ruling.host : `${ruling.host}:${ruling.port}`;
  const text = writeRequestHead(head, { host, path, keepAlive: head.keepAlive });
  const sending: Sending = { sent: null };
  if (!hasBody(head)) {
    writeLeg(upstream, text);
    sending.sent = { kind: 'done' };
    return sending;
  }
  void relayBody(client, upstream, createBodyFramer(head.framing), text, sandbox.share).then((end) => {
    sending.sent = end;
    // Half a request must not look like a whole one.
    if (end.kind !== 'done') dropLeg(upstream);
  });
  return sending;
};

const sendAnswer = async ({ client, sandbox }: Connection, upstream: Leg, { framing }: ResponseHead, head: Buffer): Promise<BodyEnd> => {
  if (isThere(framing)) return await relayBody(upstream, client, createBodyFramer(framing), head, sandbox.share);
  writeLeg(client, head);
  return { kind: 'done' };
};

const passAnswer = async (
  connection: Connection,
  upstream: Leg,
  request: AllowedRequest,
  sending: Sending,
  answer: ResponseHead,
): Promise<Next> => {
  const { client } = connection;
  // Asked again after the body: only then is it known whether the request has been sent.
  const promised = request.head.keepAlive && answer.framing.kind !== 'close' && sending.sent?.kind === 'done';
  const head = writeResponseHead(answer, { keepAlive: promised });
  const end = await sendAnswer(connection, upstream, answer, head);
  const isWhole = end.kind === 'done' || (end.kind === 'ended' && answer.framing.kind === 'close');
  endExchange(connection);
  if (!isWhole) {
    dropLeg(client); // A cut answer must not look like a whole one.
    return 'closed';
  }
  if (!answer.keepAlive) dropLeg(upstream);
  if (promised) return 'next';
  // Who has paused is not cut off: its time to leave begins when it has taken what waits.
  await drainLeg(client);
  await lingerAndClose(connection);
  return 'closed';
};

const isStale = ({ upstream }: Connection, { host, port }: Ruling): boolean =>
  upstream !== null && (upstream.leg.ended || upstream.leg.held.length > 0 || upstream.host !== host || upstream.port !== port);

/** Carries one allowed request and its answer. */
export const runExchange = async (connection: Connection, request: AllowedRequest, mayRetry = true): Promise<Next> => {
  const { head, ruling } = request;
  if (connection.upstream !== null && isStale(connection, ruling)) {
    dropLeg(connection.upstream.leg);
    connection.upstream = null;
  }
  const isReused = connection.upstream !== null && mayRetry && connection.exchange === null;
  beginExchange(connection, ruling, 'http');
  limitConnection(connection, connection.sandbox.limits.idleMs, 'move');
  const reached = await reachUpstream(connection, ruling);
  if (!reached.ok) return await answerUnreached(connection, request, reached);
  const upstream = reached.leg;
  const sending = sendRequest(connection, upstream, request);
  const answer = await readAnswer(connection.client, upstream, head);
  if (connection.client.closed) return 'closed';
  if (sending.sent?.kind === 'bad') return await giveUp(connection, request, 'malformed_request', sending.sent.detail);
  if (answer === null) {
    // A kept connection that the server had closed meanwhile: nothing of this request was answered, and it is the same when asked again.
    if (isReused && repeatable.has(head.method) && !hasBody(head) && upstream.held.length === 0)
      return await runExchange(connection, request, false);
    return await giveUp(connection, request, 'upstream_failed', 'The server closed the connection without an answer.');
  }
  if (typeof answer === 'string') return await giveUp(connection, request, 'upstream_failed', answer);
  if (answer.kind === 'switch') return await switchProtocol(connection, upstream, answer);
  return await passAnswer(connection, upstream, request, sending, answer);
};
