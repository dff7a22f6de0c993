// Asks one web address from the host's side, through the same checks of the address as a sandbox's own connections. One answer, no redirect
// followed, no credentials sent, a bounded body. Source: NETWORK.md 1.3 and 1.9.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { rootCertificates, connect as tlsConnect } from 'node:tls';
import { classifyAddress, type OwnAddresses, readIpAddress, reservedName } from './address.ts';
import { readHost } from './destination.ts';
import type { Route } from './dial.ts';
import type { Resolve } from './resolve.ts';

export interface FetchRequest {
  url: URL;
  accept?: string;
  /** Only this much of the body is read. */
  maxBytes: number;
  /** Whether the name may lead to a private address. */
  allowPrivate: boolean;
}

/** What was answered, or why nothing was. */
export type Fetched = { ok: true; status: number; location: string | null; body: string } | { ok: false; detail: string };

/** Never rejects. */
export type FetchChecked = (request: FetchRequest) => Promise<Fetched>;

export interface FetchOptions {
  resolve: Resolve;
  own: () => OwnAddresses;
  /** For everything together: looking up, connecting, reading. */
  limitMs: number;
  /** Certificate authorities beyond the public ones, as PEM texts. */
  authorities?: () => Promise<string[]>;
  /** Where tests keep the public network. */
  route?: Route;
}

interface Place {
  host: string;
  address: string;
  port: number;
}

const failed = (detail: string): { ok: false; detail: string } => ({ ok: false, detail });

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

const addressesOf = async (url: URL, resolve: Resolve): Promise<{ host: string; addresses: string[] } | string> => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol} cannot be asked.`;
  const read = readHost(url.hostname);
  if (!read.ok) return read.detail;
  if (read.kind !== 'name') return { host: read.host, addresses: [read.host.replace(/^\[|\]$/g, '')] };
  if (reservedName(read.host)) return `${read.host} means this computer or its neighbours and is not asked.`;
  const answer = await resolve(read.host);
  return answer.ok ? { host: read.host, addresses: answer.addresses } : answer.detail;
};

/** The first address that may be dialled; a name is never dialled. */
const choosePlace = async ({ url, allowPrivate }: FetchRequest, { resolve, own }: FetchOptions): Promise<Place | string> => {
  const found = await addressesOf(url, resolve);
  if (typeof found === 'string') return found;
  const [judge, port] = [own(), portOf(url)];
  const address = found.addresses.find((one) => {
    const addressClass = classifyAddress(one, judge, port);
    return addressClass === 'public' || (allowPrivate && addressClass === 'private');
  });
  return address === undefined ? `${found.host} leads to no address that may be asked.` : { host: found.host, address, port };
};

const dial = ({ address, port }: Place, onError: (detail: string) => void): Socket => {
  const socket = connect({ host: address, port });
  socket.on('connect', () => {
    if (readIpAddress(socket.remoteAddress ?? '')?.ip !== readIpAddress(address)?.ip) {
      onError('The connection reached another address than the checked one.');
    }
  });
  return socket;
};

const readBody = (response: IncomingMessage, maxBytes: number, done: (body: string) => void): void => {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => done(Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'));
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) finish();
  });
  response.on('end', finish);
  // Cut off in the middle: what came is judged by who asked.
  response.on('close', finish);
};

const headersOf = ({ url, accept }: FetchRequest): Record<string, string> => ({
  host: url.host,
  'user-agent': 'sandlot',
  accept: accept ?? '*/*',
  'accept-encoding': 'identity',
  connection: 'close',
});

/** What TLS checks the other end by; nothing where nothing is added, so that Node's own settings count. */
const tlsOptions = (host: string, extra: readonly string[]): { servername?: string; ca?: string[] } => ({
  ...(readIpAddress(host.replace(/^\[|\]$/g, '')) === null ? { servername: host } : {}),
  ...(extra.length === 0 ? {} : { ca: [...rootCertificates, ...extra] }),
});

const ask = (given: FetchRequest, place: Place, limitMs: number, extra: readonly string[]): Promise<Fetched> =>
  new Promise((settle) => {
    let request: ClientRequest | null = null;
    let raw: Socket | null = null;
    const finish = (outcome: Fetched): void => {
      clearTimeout(timer);
      settle(outcome);
      request?.destroy();
      raw?.destroy();
    };
    const fail = (detail: string): void => finish(failed(detail));
    const timer = setTimeout(() => fail(`${place.host} did not answer within ${limitMs / 1000} seconds.`), limitMs);
    raw = dial(place, fail);
    raw.on('error', ({ message }) => fail(`${place.host}:${place.port} could not be reached (${message}).`));
    const socket = given.url.protocol === 'https:' ? tlsConnect({ socket: raw, ...tlsOptions(place.host, extra) }) : raw;
    socket.on('error', ({ message }) => fail(`${place.host}:${place.port} could not be reached (${message}).`));
    request = httpRequest({ createConnection: () => socket, path: given.url.pathname + given.url.search, headers: headersOf(given) });
    request.on('error', ({ message }) => fail(`${place.host} broke off (${message}).`));
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      readBody(response, given.maxBytes, (body) => finish({ ok: true, status, location: headers.location ?? null, body }));
    });
    request.end();
  });

/** Makes the one way in which the host asks the network for a preset. */
export const createFetchChecked =
  (options: FetchOptions): FetchChecked =>
  async (request) => {
    const place = await choosePlace(request, options);
    if (typeof place === 'string') return failed(place);
    const routed = options.route === undefined ? place : options.route(place.address, place.port);
    if (routed === null) return failed(`${place.host} could not be reached.`);
    return await ask(request, { ...place, ...routed }, options.limitMs, (await options.authorities?.()) ?? []);
  };
