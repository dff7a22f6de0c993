// A daemon that speaks enough of the Docker API, over a real socket, to make the faults that a healthy one will not make.
// Start it, set its behaviour on `behaviour` at any time, read what it was asked on `requests`; `close` it in the end.
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';

export interface FakeBehaviour {
  version: string;
  apiVersion: string;
  minApiVersion: string;
  isPodman: boolean;
  /** What `/build` sends, one JSON record each, with HTTP 200. */
  buildRecords: unknown[];
  /** How `/build` ends after the records: cleanly, by a reset, or never. */
  buildEnd: 'clean' | 'reset' | 'hang';
  /** What `/commit` answers; null is success. */
  commitError: { status: number; message: string } | null;
  /** Sent raw to each exec after the upgrade. */
  execOutput: Buffer[];
  /** This many of the next connections are dropped at once. */
  refuseConnections: number;
  /** Image inspection finds these names. */
  images: Record<string, string>;
}

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Buffer;
}

export interface FakeDaemon {
  socketPath: string;
  address: string;
  behaviour: FakeBehaviour;
  requests: FakeRequest[];
  /** All bytes that came over exec connections after the request, as seen by the container. */
  execInput: () => Buffer;
  /** Event streams that are open now. */
  eventStreams: () => number;
  sendEvent: (event: unknown) => void;
  /** Ends every open event stream cleanly. */
  endEvents: () => void;
  close: () => Promise<void>;
}

const defaults: FakeBehaviour = {
  version: '20.10.24',
  apiVersion: '1.41',
  minApiVersion: '1.12',
  isPodman: false,
  buildRecords: [],
  buildEnd: 'clean',
  commitError: null,
  execOutput: [],
  refuseConnections: 0,
  images: {},
};

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const isOlder = (version: string, than: string): boolean => Number(version.split('.')[1]) < Number(than.split('.')[1]);

const refusal = (path: string, { minApiVersion }: FakeBehaviour): string | null => {
  const asked = /^\/v(\d+\.\d+)\//.exec(path)?.[1];
  if (asked === undefined || !isOlder(asked, minApiVersion)) return null;
  return `client version ${asked} is too old. Minimum supported API version is ${minApiVersion}, please upgrade your client to a newer version`;
};

const sendBuild = (response: ServerResponse, behaviour: FakeBehaviour): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const record of behaviour.buildRecords) response.write(`${JSON.stringify(record)}\r\n`);
  if (behaviour.buildEnd === 'clean') response.end();
  // In the middle of a chunked answer, a moment later, so that the records are on their way.
  if (behaviour.buildEnd === 'reset') setImmediate(() => setImmediate(() => response.socket?.destroy()));
};

const sendVersion = (response: ServerResponse, { version, apiVersion, minApiVersion, isPodman }: FakeBehaviour): void => {
  const name = isPodman ? 'Podman Engine' : 'Engine';
  send(response, 200, {
    Version: version,
    ApiVersion: apiVersion,
    MinAPIVersion: minApiVersion,
    Os: 'linux',
    Arch: 'amd64',
    Components: [{ Name: name, Version: version }],
  });
};

const sendImage = (response: ServerResponse, path: string, { images }: FakeBehaviour): void => {
  const name = decodeURIComponent(path.slice('/images/'.length, -'/json'.length));
  const id = images[name];
  if (id === undefined) send(response, 404, { message: `No such image: ${name}` });
  else send(response, 200, { Id: id, RepoTags: [name], Config: {} });
};

const answer = (request: FakeRequest, response: ServerResponse, behaviour: FakeBehaviour): void => {
  const { path } = request;
  const refused = refusal(path, behaviour);
  if (refused !== null) return send(response, 400, { message: refused });
  if (path === '/_ping') return void response.end('OK');
  if (path === '/version') return sendVersion(response, behaviour);
  if (path === '/info') return send(response, 200, { NCPU: 2, MemTotal: 8 * 1024 ** 3, Driver: 'overlay2', SecurityOptions: [] });
  if (path === '/build') return sendBuild(response, behaviour);
  if (path.startsWith('/images/') && path.endsWith('/json')) return sendImage(response, path, behaviour);
  if (path === '/commit' && behaviour.commitError !== null)
    return send(response, behaviour.commitError.status, { message: behaviour.commitError.message });
  if (path === '/commit') return send(response, 201, { Id: 'sha256:1' });
  if (/^\/containers\/[^/]+\/exec$/.test(path)) return send(response, 201, { Id: 'exec1' });
  if (path === '/exec/exec1/json') return send(response, 200, { Running: false, ExitCode: 0, Pid: 0 });
  if (path === '/containers/json' || path === '/images/json') return send(response, 200, []);
  return send(response, 404, { message: `the fake knows no ${request.method} ${path}` });
};

/** Starts a fake daemon on a unix socket that must not exist yet. */
export const startFakeDaemon = async (socketPath: string, behaviour: Partial<FakeBehaviour> = {}): Promise<FakeDaemon> => {
  const current: FakeBehaviour = { ...defaults, ...behaviour };
  const requests: FakeRequest[] = [];
  const input: Buffer[] = [];
  const events = new Set<ServerResponse>();
  const sockets = new Set<Duplex>();

  const record = (request: IncomingMessage, body: Buffer): FakeRequest => {
    const url = new URL(request.url ?? '/', 'http://daemon');
    const seen = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body };
    requests.push(seen);
    return seen;
  };
  const openEvents = (response: ServerResponse): void => {
    events.add(response);
    response.on('close', () => events.delete(response));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const seen = record(request, body);
      if (seen.path === '/events') openEvents(response);
      else answer(seen, response, current);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (current.refuseConnections <= 0) return;
    current.refuseConnections -= 1;
    socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    const length = Number(request.headers['content-length'] ?? 0);
    let received = head;
    let isOpen = false;
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]);
      if (isOpen || received.length < length) {
        if (isOpen) input.push(bytes);
        return;
      }
      isOpen = true;
      record(request, received.subarray(0, length));
      if (received.length > length) input.push(received.subarray(length));
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      for (const bytes of current.execOutput) socket.write(bytes);
      socket.on('end', () => socket.end());
      if (current.execOutput.length > 0) socket.end();
    };
    socket.on('data', take);
    socket.on('error', () => undefined);
    take(Buffer.alloc(0));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    socketPath,
    address: `unix://${socketPath}`,
    behaviour: current,
    requests,
    execInput: () => Buffer.concat(input),
    eventStreams: () => events.size,
    sendEvent: (event) => {
      for (const response of events) response.write(`${JSON.stringify(event)}\n`);
    },
    endEvents: () => {
      for (const response of events) response.end();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(socketPath, { force: true });
    },
  };
};
