// The web door: the same page, calls and events on loopback that the desktop window has. Guarded by guard.ts.
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import { errorStatus } from '../../sandbox-engine/contract/errors.ts';
import { SandlotError } from '../../sandbox-engine/index.ts';
import type { Host } from '../host/host.ts';
import { newNonce } from '../host/page-policy.ts';
import { type Access, openAccess } from './access.ts';
import { type GuardVerdict, guard } from './guard.ts';
import { lockedPage, openCommand, refusal } from './refusal.ts';
import { serveRenderer } from './renderer-files.ts';
import { securityHeaders } from './security-headers.ts';
import { createSocketDoor } from './socket.ts';
import { addTransfers } from './transfer-routes.ts';

export interface WebDoorOptions {
  host: Host;
  /** 0 or nothing: the port of last time if it is free, else any. */
  port?: number;
  rendererFolder: string;
  /** Serves the page from its sources with hot reload. */
  isDevelopment?: boolean;
}

export interface WebDoor {
  port: number;
  /** A URL that opens one browser, once. */
  newUrl: () => string;
  close: () => Promise<void>;
}

const socketPath = '/api/v1/socket';
const apiBodyLimit = 2_097_152;

const cookieValue = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

interface Doorway {
  access: Access;
  port: () => number;
}

const cookieName = (port: number): string => `sandlot_${port}`;

const check = ({ access, port }: Doorway, request: IncomingMessage, isUpgrade: boolean): GuardVerdict => {
  const isBearer = access.isBearer(request.headers.authorization);
  const isSession = access.isSession(cookieValue(request.headers.cookie, cookieName(port())));
  return guard({
    host: request.headers.host,
    origin: request.headers.origin,
    isKnown: isBearer || isSession,
    mustSayOrigin: isUpgrade && !isBearer,
    port: port(),
  });
};

/** Exchanges `/?token=...` for a session; true when the request has been answered. */
const tryToken = async (doorway: Doorway, request: FastifyRequest, reply: FastifyReply, verdict: GuardVerdict): Promise<boolean> => {
  const isForeign = !verdict.allowed && verdict.code === 'forbidden';
  const url = new URL(request.url, 'http://loopback');
  const token = url.searchParams.get('token');
  if (isForeign || request.method !== 'GET' || url.pathname !== '/' || token === null) return false;
  const session = doorway.access.exchange(token);
  if (session !== null) {
    reply.header('set-cookie', `${cookieName(doorway.port())}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`);
  } else if (!verdict.allowed) {
    return false;
  }
  // The address bar and the history must not keep the token.
  await reply.header('cache-control', 'no-store').redirect('/', 303);
  return true;
};

const refuseVisit = (request: FastifyRequest, reply: FastifyReply, verdict: GuardVerdict & { allowed: false }): FastifyReply => {
  const { status, body } = refusal(verdict.code, verdict.reason, `Run \`${openCommand}\` for a link that works.`);
  const isPage =
    verdict.code === 'unauthorized' && !request.url.startsWith('/api/') && (request.headers.accept ?? '').includes('text/html');
  return isPage ? reply.code(status).type('text/html; charset=utf-8').send(lockedPage) : reply.code(status).send(body);
};

/** Answers that are under way, each with the nonce of its policy. */
type Nonces = WeakMap<FastifyReply, string>;

const addGuard = (app: FastifyInstance, doorway: Doorway, isDevelopment: boolean, nonces: Nonces): void => {
  app.addHook('onRequest', async (request, reply) => {
    const nonce = newNonce();
    nonces.set(reply, nonce);
    reply.headers(securityHeaders(doorway.port(), isDevelopment, nonce));
    const verdict = check(doorway, request.raw, false);
    if (await tryToken(doorway, request, reply, verdict)) return reply;
    if (!verdict.allowed) return refuseVisit(request, reply, verdict);
    return undefined;
  });
};

const statusOf = (answer: Reply<unknown>): number => (answer.ok ? 200 : errorStatus[answer.error.code]);

const addCalls = (app: FastifyInstance, host: Host): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(String(body)));
    } catch (cause) {
      done(Object.assign(new Error('The body is not JSON.', { cause }), { statusCode: 400 }));
    }
  });
  app.post<{ Params: { name: string } }>('/api/v1/call/:name', async (request, reply) => {
    const answer = await host.dispatch(request.params.name, request.body ?? {});
    return await reply.code(statusOf(answer)).header('cache-control', 'no-store').send(answer);
  });
  app.all('/api/*', async (request, reply) => {
    const { status, body } = refusal(
      'unknown_call',
      `There is nothing at ${request.method} ${request.url}.`,
      'POST /api/v1/call/NAME; see docs/api.md.',
    );
    return await reply.code(status).send(body);
  });
  app.setErrorHandler(async (error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error.statusCode ?? 500;
    const code = status === 413 ? 'too_large' : status < 500 ? 'invalid_request' : 'internal';
    if (code === 'internal') host.log.error({ error }, 'the web door failed');
    return await reply.code(code === 'internal' ? 500 : status).send(refusal(code, error.message).body);
  });
};

const addSocket = (app: FastifyInstance, doorway: Doorway, host: Host, isDevelopment: boolean) => {
  const door = createSocketDoor(host);
  app.server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on('error', () => connection.destroy());
    const isOurs = new URL(request.url ?? '/', 'http://loopback').pathname === socketPath;
    // In development the other upgrades belong to the hot reload.
    if (!isOurs && isDevelopment) return;
    const verdict = isOurs
      ? check(doorway, request, true)
      : ({ allowed: false, code: 'forbidden', reason: `There is no socket at ${request.url}.` } as const);
    if (verdict.allowed) return door.accept(request, connection, head);
    const { status, body } = refusal(verdict.code, verdict.reason);
    const text = JSON.stringify(body);
    // It is no request of the server any more: who was refused and stays would keep it open for ever.
    connection.end(
      `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      () => connection.destroy(),
    );
  });
  return door;
};

const portRefused = (port: number, cause: NodeJS.ErrnoException): SandlotError =>
  new SandlotError(
    'invalid_request',
    `Port ${port} ${cause.code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another program'}.`,
    {
      cause,
      nextAction: 'Give another one with --port, or none.',
    },
  );

const listen = async (app: FastifyInstance, dataFolder: string, wanted: number): Promise<number> => {
  const remembered = join(dataFolder, 'web-port');
  const last = wanted > 0 ? wanted : Number(await readFile(remembered, 'utf8').catch(() => '0'));
  const open = async (port: number) => {
    await app.listen({ host: '127.0.0.1', port });
    const address = app.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };
  const port = await open(Number.isInteger(last) && last > 0 && last < 65_536 ? last : 0).catch(async (thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'EADDRINUSE' && thrown.code !== 'EACCES') throw thrown;
    if (wanted > 0) throw portRefused(wanted, thrown);
    return await open(0);
  });
  // An open browser tab finds the host again after a restart when the port stays.
  await writeFile(remembered, String(port), { mode: 0o600 });
  return port;
};

/** Opens the web door on 127.0.0.1. The host closes it when it ends. */
export const openWebDoor = async ({ host, port: wanted = 0, rendererFolder, isDevelopment = false }: WebDoorOptions): Promise<WebDoor> => {
  const app = fastify({ logger: false, bodyLimit: apiBodyLimit, forceCloseConnections: true, exposeHeadRoutes: false });
  const access = await openAccess(host.dataFolder);
  let port = 0;
  const doorway: Doorway = { access, port: () => port };
  const nonces: Nonces = new WeakMap();
  addGuard(app, doorway, isDevelopment, nonces);
  addCalls(app, host);
  addTransfers(app, host);
  await serveRenderer(app, rendererFolder, isDevelopment, (reply) => nonces.get(reply) ?? newNonce());
  const socketDoor = addSocket(app, doorway, host, isDevelopment);
  port = await listen(app, host.dataFolder, wanted);
  const close = async () => {
    socketDoor.close();
    await app.close();
  };
  host.onClose(close);
  return { port, newUrl: () => `http://127.0.0.1:${port}/?token=${access.newOneTimeToken()}`, close };
};
