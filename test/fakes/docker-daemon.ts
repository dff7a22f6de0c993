// A daemon that speaks enough of the Docker API, over a real socket, to make the faults that a healthy one will not make.
// Start it, set its behaviour on `behaviour` at any time, read what it was asked on `requests`; `close` it in the end.
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { takeExec } from './docker-exec.ts';

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
  /** Image inspection finds these names and answers an id, or with a fault where that is `fault`; a name that ends in `*` stands for all that begin so. */
  images: Record<string, string>;
  /** Fields of `/info` beside the usual ones. */
  info: Record<string, unknown>;
  /** What `/system/df` answers; as `fault` it refuses, as Podman does when a container went meanwhile. */
  disk: Record<string, unknown> | 'fault';
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
  info: {},
  disk: {},
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
  const id = images[name] ?? Object.entries(images).find(([key]) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))?.[1];
  if (id === undefined) send(response, 404, { message: `No such image: ${name}` });
  else if (id === 'fault') send(response, 500, { message: 'locating image with ID "755645f9": image not known' });
  else send(response, 200, { Id: id, RepoTags: [name], Config: {} });
};

type Answer = (response: ServerResponse, behaviour: FakeBehaviour, path: string) => void;

const always =
  (status: number, body: unknown): Answer =>
  (response) =>
    send(response, status, body);

const sendCommit: Answer = (response, { commitError }) => {
  if (commitError === null) send(response, 201, { Id: 'sha256:1' });
  else send(response, commitError.status, { message: commitError.message });
};

const sendDisk: Answer = (response, { disk }) => {
  if (disk === 'fault') send(response, 500, { message: 'failed to get state of container d92038ce: no such container' });
  else send(response, 200, disk);
};

const answers: [RegExp, Answer][] = [
  [/^\/_ping$/, always(200, 'OK')],
  [/^\/version$/, sendVersion],
  [
    /^\/info$/,
    (response, { info }) => send(response, 200, { NCPU: 2, MemTotal: 8 * 1024 ** 3, Driver: 'overlay2', SecurityOptions: [], ...info }),
  ],
  [/^\/build$/, sendBuild],
  [/^\/images\/.+\/json$/, (response, behaviour, path) => sendImage(response, path, behaviour)],
  [/^\/commit$/, sendCommit],
  [/^\/system\/df$/, sendDisk],
  [/^\/(images|containers)\/json$/, always(200, [])],
  [/^\/containers\/create$/, always(201, { Id: 'looked-into' })],
  [/^\/containers\/looked-into\/archive$/, always(404, { message: 'there is no such file' })],
  [/^\/containers\/looked-into$/, always(204, null)],
  [/^\/containers\/[^/]+\/exec$/, always(201, { Id: 'exec1' })],
  [/^\/exec\/exec1\/json$/, always(200, { Running: false, ExitCode: 0, Pid: 0 })],
];

const answer = ({ method, path }: FakeRequest, response: ServerResponse, behaviour: FakeBehaviour): void => {
  const refused = refusal(path, behaviour);
  const known = answers.find(([pattern]) => pattern.test(path))?.[1];
  if (refused !== null) send(response, 400, { message: refused });
  else if (known === undefined) send(response, 404, { message: `the fake knows no ${method} ${path}` });
  else known(response, behaviour, path);
};

/** Starts a fake daemon on a unix socket that must not exist yet, or on a TCP port of its own at the given address. */
export const startFakeDaemon = async (place: string | { host: string }, behaviour: Partial<FakeBehaviour> = {}): Promise<FakeDaemon> => {
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
    takeExec(socket, head, Number(request.headers['content-length'] ?? 0), {
      onBody: (body) => record(request, body),
      onInput: (bytes) => input.push(bytes),
      output: current.execOutput,
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (typeof place === 'string') server.listen(place, resolve);
    else server.listen(0, place.host, resolve);
  });
  const listening = server.address();
  const socketPath = typeof place === 'string' ? place : '';
  const address =
    typeof listening === 'object' && listening !== null
      ? `tcp://${listening.family === 'IPv6' ? `[${listening.address}]` : listening.address}:${listening.port}`
      : `unix://${socketPath}`;
  return {
    socketPath,
    address,
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
      if (socketPath !== '') await rm(socketPath, { force: true });
    },
  };
};
