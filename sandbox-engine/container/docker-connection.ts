// One connection to a daemon that speaks the Docker API: requests, streams and upgraded sockets. The only importer of dockerode.
// Calls carry no version in their path, so each daemon answers in its own newest one.
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { inspect } from 'node:util';
import type Docker from 'dockerode';
import { toRuntimeError } from './docker-errors.ts';

/** Where a daemon listens. `address` is how people write it. */
export type DockerTarget =
  | { kind: 'socket'; address: string; socketPath: string }
  | { kind: 'tcp'; address: string; host: string; port: number; tls: { ca: string; cert: string; key: string } | null };

export interface DaemonRequest {
  /** For error messages, beginning with a verb. */
  what: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  path: string;
  query?: Record<string, string | number | boolean | string[] | undefined>;
  body?: unknown;
  upload?: Readable | Buffer;
  auth?: { username: string; password: string; serverAddress: string };
  signal?: AbortSignal;
}

export interface DockerConnection {
  address: string;
  /** Podman answers the same calls and differs in some. */
  isPodman: boolean;
  /** The parsed answer; undefined when it had no JSON in it. Every failure is a SandlotError with `details.status` when refused. */
  json: <T>(request: DaemonRequest) => Promise<T>;
  /** The answer's body as it comes. */
  stream: (request: DaemonRequest) => Promise<IncomingMessage>;
  /** The raw socket after the daemon has switched protocols. */
  hijack: (request: DaemonRequest) => Promise<Duplex>;
  close: () => void;
}

/** The part of the client library that we stand on. */
interface Modem {
  dial: (options: Record<string, unknown>, callback: (error: unknown, answer: unknown) => void) => void;
}

const accepted = { 200: true, 201: true, 202: true, 204: true, 304: true };

// The library writes out every request, whether or not anybody reads that: an agent with its open sockets would cost it 20 ms each time.
const notWrittenOut = <Agent extends HttpAgent>(agent: Agent): Agent => Object.assign(agent, { [inspect.custom]: () => 'agent' });

const modemOptions = (target: DockerTarget): Record<string, unknown> => {
  const none = {
    host: undefined,
    port: undefined,
    socketPath: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    timeout: undefined,
  };
  if (target.kind === 'socket') {
    return { ...none, socketPath: target.socketPath, protocol: 'http', agent: notWrittenOut(new HttpAgent({ keepAlive: true })) };
  }
  const protocol = target.tls === null ? 'http' : 'https';
  const bracketed = target.host.includes(':') ? `[${target.host}]` : target.host;
  const agent = notWrittenOut(target.tls === null ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true }));
  return { ...none, ...target.tls, host: `${protocol}://${bracketed}`, port: target.port, protocol, pathPrefix: '/', agent };
};

// The library reads DOCKER_* before our options and throws on what it cannot read there, so it must not see them.
const withoutDockerVariables = <T>(make: () => T): T => {
  const saved = Object.entries(process.env).filter(([name]) => name.startsWith('DOCKER_'));
  for (const [name] of saved) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of saved) process.env[name] = value;
  }
};

const queryOf = (query: DaemonRequest['query']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== undefined));

const dialOptions = (request: DaemonRequest): Record<string, unknown> => ({
  path: `${request.path}?`,
  method: request.method,
  options: { _query: queryOf(request.query), _body: request.body ?? {} },
  // An empty object that was asked for is sent: Podman wants a body to decode.
  allowEmpty: request.body !== undefined,
  statusCodes: accepted,
  ...(request.upload === undefined ? {} : { file: request.upload }),
  ...(request.auth === undefined ? {} : { authconfig: toAuthConfig(request.auth) }),
  ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
});

const toAuthConfig = (auth: NonNullable<DaemonRequest['auth']>): Record<string, string> => ({
  username: auth.username,
  password: auth.password,
  serveraddress: auth.serverAddress,
});

/** Makes a connection; nothing is opened before the first call. `close` drops the sockets that are kept open between calls. */
export const createDockerConnection = (target: DockerTarget, isPodman: boolean): DockerConnection => {
  const options = modemOptions(target);
  let loading: Promise<Modem> | null = null;
  // Loaded with the first call: the library costs 200 ms and 20 MB that `--help` need not pay.
  const load = (): Promise<Modem> => {
    loading ??= import('dockerode').then(({ default: Client }) => {
      const client: Docker = withoutDockerVariables(() => new Client(options as Docker.DockerOptions));
      return client.modem as unknown as Modem;
    });
    return loading;
  };
  const dial = async <T>(request: DaemonRequest, extra: Record<string, unknown>): Promise<T> => {
    try {
      request.signal?.throwIfAborted();
      const modem = await load();
      return await new Promise<T>((resolve, reject) => {
        modem.dial({ ...dialOptions(request), ...extra }, (error, answer) => (error ? reject(error) : resolve(answer as T)));
      });
    } catch (thrown) {
      throw toRuntimeError(thrown, request.what, target.address, request.signal);
    }
  };
  return {
    address: target.address,
    isPodman,
    json: async <T>(request: DaemonRequest) => {
      const answer = await dial<unknown>(request, {});
      return (Buffer.isBuffer(answer) ? undefined : answer) as T;
    },
    stream: (request) => dial<IncomingMessage>(request, { isStream: true }),
    hijack: (request) => dial<Duplex>(request, { isStream: true, hijack: true }),
    close: () => (options.agent as HttpAgent).destroy(),
  };
};
