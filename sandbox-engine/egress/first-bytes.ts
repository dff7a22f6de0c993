// Serves a connection that was made to a place: looks at its first bytes, finds the one host that it is for, decides, and passes it on.
// Source: NETWORK.md 1.2 (protocol) and 1.5; E01-E14, B01, B12, B13.
import { beginExchange, type Connection, isLoose, limitConnection, noteBlocked, type Ruling, ruleOn } from './connection.ts';
import { type Place, reasonOfLiteral, serveHttp } from './http-relay.ts';
import { dropLeg, readLeg } from './leg.ts';
import { readFirstWord } from './observed.ts';
import { reachUpstream } from './reach-upstream.ts';
import { refuseTls } from './refuse.ts';
import { createHelloSniffer, type TlsSniff } from './sniff-tls.ts';
import { runTunnel } from './tunnel.ts';

const httpPort = 80;
const tlsPort = 443;

type Hello = Extract<TlsSniff, { state: 'hello' }>;
type Authority = NonNullable<Place['host']>;
type Refusal = Pick<Ruling, 'reason'> & Partial<Pick<Ruling, 'host' | 'rule'>> & { detail?: string };

const knownOf = ({ host, literal }: Place): Place['host'] => host ?? literal;

/** Passes bytes both ways to an allowed destination, from now on unseen. */
export const tunnelTo = async (connection: Connection, ruling: Ruling, protocol: 'tls' | 'tcp'): Promise<void> => {
  const { client, sandbox } = connection;
  beginExchange(connection, ruling, protocol);
  // The dialler has limits of its own; this one is for a client that goes on sending meanwhile.
  limitConnection(connection, sandbox.limits.idleMs, 'move');
  const reached = await reachUpstream(connection, ruling);
  if (!reached.ok) {
    const { reason, detail } = reached;
    noteBlocked(connection, { host: ruling.host, port: ruling.port, protocol, reason, rule: ruling.rule, detail });
    if (protocol === 'tls') await refuseTls(connection);
    else dropLeg(client);
    return;
  }
  await runTunnel(client, reached.leg, () => limitConnection(connection, sandbox.limits.halfOpenMs, 'move'));
};

const refuse = async (connection: Connection, place: Place, refusal: Refusal): Promise<void> => {
  const { reason, rule = null, detail = null, host = knownOf(place)?.host ?? null } = refusal;
  noteBlocked(connection, { host, port: place.port, protocol: 'tls', reason, rule, detail });
  await refuseTls(connection);
};

// An address is not believed; the name in the hello is, and our own lookup of it is dialled. TLS cannot name an address, so one that a rule
// names needs no name.
const authorityAtAddress = (connection: Connection, place: Place, sni: string | null): Authority | Refusal => {
  if (sni !== null) return { host: sni, kind: 'name' };
  const { literal, port } = place;
  const isAllowed = literal !== null && ruleOn(connection, { ...literal, port }).verdict === 'allowed';
  return isAllowed ? literal : { reason: reasonOfLiteral(connection, place) };
};

const authorityAtHost = (host: Authority, sni: string | null): Authority | Refusal => {
  if (sni === null) return host.kind === 'name' ? { reason: 'no_sni' } : host;
  if (sni === host.host) return host;
  return { reason: 'name_mismatch', host: sni, detail: `The TLS name is ${sni}, the connection is for ${host.host}.` };
};

const authorityOf = (connection: Connection, place: Place, { sni, ech }: Hello): Authority | Refusal => {
  if (ech) return { reason: 'ech', ...(sni === null ? {} : { host: sni }) };
  return place.host === null ? authorityAtAddress(connection, place, sni) : authorityAtHost(place.host, sni);
};

const serveTls = async (connection: Connection, place: Place, hello: Hello): Promise<void> => {
  const authority = authorityOf(connection, place, hello);
  if ('reason' in authority) return await refuse(connection, place, authority);
  const { host, kind } = authority;
  const ruling = ruleOn(connection, { host, kind, port: place.port });
  const { reason, rule } = ruling;
  if (ruling.verdict === 'blocked') return await refuse(connection, place, { host, reason, rule });
  const isForHttp = place.port === httpPort && ruling.protocol === 'auto' && !isLoose(connection, ruling);
  if (isForHttp) return await refuse(connection, place, { host, reason: 'protocol_mismatch', rule });
  await tunnelTo(connection, ruling, 'tls');
};

// Nothing came that says what the connection is for.
const noteSilent = (connection: Connection, place: Place): void => {
  const known = knownOf(place);
  const ruling = known === null ? null : ruleOn(connection, { ...known, port: place.port });
  if (ruling?.verdict === 'allowed' && connection.cut === null) return; // Connected and left: nothing was tried.
  const reason = place.host === null ? reasonOfLiteral(connection, place) : (ruling?.reason ?? 'not_recognised');
  // Who is silent waits for the server to speak first; who began and did not finish was too slow.
  const slow = connection.client.held.length > 0 ? 'limit_exceeded' : 'not_recognised';
  const why = reason === 'allowed' ? slow : reason;
  noteBlocked(connection, {
    host: known?.host ?? null,
    port: place.port,
    protocol: 'unknown',
    reason: why,
    detail: 'It sent nothing that names a host.',
  });
};

/** It began a request and went before that could be read; who was too slow is written down as that. */
const leftUnread = ({ client, cut, isNoted, ruling }: Connection): boolean =>
  cut === null && !isNoted && ruling === null && client.held.length > 0;

const isUnseen = ({ sandbox }: Connection, { protocol, port }: Ruling): boolean =>
  protocol === 'tcp' || (sandbox.loaded.compiled.unrestricted && port !== httpPort && port !== tlsPort);

/** Who waits for the server's first word is not kept waiting for long. On the ports of TLS and HTTP the client speaks first. */
const patienceMs = 300;

/** Whether an observed connection says something by which it can be counted: TLS or HTTP. */
const saysWhatItIs = async ({ client, sandbox }: Connection, { port }: Ruling): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), port === httpPort || port === tlsPort ? sandbox.limits.helloMs : patienceMs);
  });
  const seen = await Promise.race([readLeg(client, readFirstWord), waited]);
  clearTimeout(timer);
  return seen?.state === 'tls' || seen?.state === 'http';
};

const serveSeen = async (connection: Connection, place: Place, seen: Exclude<TlsSniff, { state: 'more' }>): Promise<void> => {
  if (seen.state === 'hello') return await serveTls(connection, place, seen);
  if (seen.state === 'bad') return await refuse(connection, place, { reason: seen.reason, detail: seen.detail });
  await serveHttp(connection, { mode: 'place', place });
  if (leftUnread(connection)) noteSilent(connection, place);
};

/** Serves the connection; what its place is allowed for as `tcp` is not looked at. */
export const servePlace = async (connection: Connection, place: Place): Promise<void> => {
  const { client, sandbox } = connection;
  const known = knownOf(place);
  const ruling = known === null ? null : ruleOn(connection, { ...known, port: place.port });
  if (ruling?.verdict === 'allowed' && isUnseen(connection, ruling)) return await tunnelTo(connection, ruling, 'tcp');
  if (ruling?.reason === 'observed') {
    limitConnection(connection, sandbox.limits.idleMs, 'move');
    if (!(await saysWhatItIs(connection, ruling))) return await tunnelTo(connection, ruling, 'tcp');
  }
  // A client that waits for the server's first word is not kept waiting for its refusal.
  const { helloMs, refusedHelloMs } = sandbox.limits;
  limitConnection(connection, ruling?.verdict === 'blocked' && place.host !== null ? refusedHelloMs : helloMs, 'start');
  const seen = await readLeg(client, createHelloSniffer());
  if (seen === null || seen.state === 'more') return noteSilent(connection, place);
  await serveSeen(connection, place, seen);
};
