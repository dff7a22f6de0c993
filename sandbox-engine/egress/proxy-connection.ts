// Serves one connection of a sandbox, from its first byte to its close: the socket that it came by, or else the relay's header, says where it
// was made to, which is either the proxy's own address or a place in the network. Source: NETWORK.md 1.5.
import {
  beginExchange,
  type Connection,
  endExchange,
  limitConnection,
  noteBlocked,
  openConnection,
  type Ruling,
  ruleOn,
  type Sandbox,
} from './connection.ts';
import { readHost } from './destination.ts';
import { servePlace, tunnelTo } from './first-bytes.ts';
import { answerUnreached } from './http-exchange.ts';
import { type ConnectTarget, type Place, serveHttp } from './http-relay.ts';
import { dropLeg, readLeg, skipLeg, writeLeg } from './leg.ts';
import type { Handle } from './listen-socket.ts';
import { reachUpstream } from './reach-upstream.ts';
import type { RequestHead } from './read-http-head.ts';
import { readProxyHeader } from './read-proxy-header.ts';
import { answerRefused, lingerAndClose } from './refuse.ts';
import { proxyAddress, proxyPort, refusedAddress, selfTestAddress } from './synthetic-pool.ts';

const established = Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n', 'latin1');

const placeOf = ({ sandbox }: Connection, ip: string, port: number): Place => {
  const name = sandbox.pool.nameOf(ip);
  if (name !== null) return { port, host: { host: name, kind: 'name' }, literal: null, isSentinel: false };
  const literal = readHost(ip.includes(':') ? `[${ip}]` : ip);
  return { port, host: null, literal: literal.ok ? { host: literal.host, kind: literal.kind } : null, isSentinel: ip === refusedAddress };
};

const refuseConnect = async (connection: Connection, head: RequestHead, ruling: Ruling): Promise<void> => {
  const { host, port, reason, rule } = ruling;
  answerRefused(connection, {
    ...{ status: 403, reason, detail: null, destination: { host, port }, rule, protocol: 'unknown' as const },
    ...{ method: head.method, keepAlive: false },
  });
  await lingerAndClose(connection);
};

// A tunnel is asked for: the destination is reached first, so that a failure can still be told; its bytes are then looked at like those of a
// connection that was made straight to it.
const serveConnect = async (connection: Connection, head: RequestHead, target: ConnectTarget): Promise<void> => {
  const { host, kind, port } = target;
  const ruling = ruleOn(connection, { host, kind, port });
  if (ruling.verdict === 'blocked') return await refuseConnect(connection, head, ruling);
  beginExchange(connection, ruling, 'unknown');
  limitConnection(connection, connection.sandbox.limits.idleMs, 'move');
  const reached = await reachUpstream(connection, ruling);
  if (!reached.ok) {
    await answerUnreached(connection, { head, path: '', ruling }, reached);
    return;
  }
  writeLeg(connection.client, established);
  if (ruling.protocol === 'tcp') return await tunnelTo(connection, ruling, 'tcp');
  await servePlace(connection, { port, host: { host, kind }, literal: null, isSentinel: false });
};

type Destination = NonNullable<Handle['destination']>;

const readDestination = async ({ client }: Connection): Promise<Destination | null> => {
  const header = await readLeg(client, readProxyHeader);
  if (header === null || header.state !== 'header') return null;
  skipLeg(client, header.headerBytes);
  return header.destination;
};

const converse = async (connection: Connection, { destination }: Handle): Promise<void> => {
  const madeTo = destination ?? (await readDestination(connection));
  if (madeTo === null) return;
  const { ip, port } = madeTo;
  if (ip === selfTestAddress) return;
  if (ip !== proxyAddress || port !== proxyPort) return await servePlace(connection, placeOf(connection, ip, port));
  connection.mode = 'explicit';
  await serveHttp(connection, { mode: 'explicit', onConnect: (head, target) => serveConnect(connection, head, target) });
};

const closeConnection = (connection: ReturnType<typeof openConnection>): void => {
  const { sandbox, cut, client, upstream } = connection;
  dropLeg(client);
  if (upstream !== null && !upstream.leg.socket.writableEnded) dropLeg(upstream.leg);
  // Who connected and said nothing tried nothing.
  const isUnfinished = connection.ruling === null && !connection.isNoted && client.held.length > 0;
  if (cut?.reason === 'limit_exceeded' && isUnfinished) {
    noteBlocked(connection, { host: null, port: null, protocol: 'unknown', reason: cut.reason, detail: cut.detail });
  }
  endExchange(connection);
  sandbox.connections.delete(connection);
  sandbox.watch.remove(connection);
};

/** Serves an accepted connection. Never rejects: what goes wrong inside closes this connection only. */
export const serveConnection = async (sandbox: Sandbox, handle: Handle): Promise<void> => {
  const connection = openConnection(sandbox, handle);
  try {
    await converse(connection, handle);
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    endExchange(connection, { reason: 'upstream_failed', detail: `The proxy failed: ${detail}` });
  } finally {
    closeConnection(connection);
  }
};
