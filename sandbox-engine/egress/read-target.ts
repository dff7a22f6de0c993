// Finds the one authority that a request names: its target and its Host header must agree, and agree with the connection's port.
// Source: NETWORK.md 1.5 (A, C and H must be equal), D01-D03, D06, D15, D16, D36; RFC 9112 3.2.
import { type Authority, readAuthority } from './destination.ts';
import type { RequestHead } from './read-http-head.ts';

/** Where a request wants to go; `path` is its target as the upstream server is asked for it. */
export type RequestTarget =
  | { ok: true; form: 'connect'; kind: Authority['kind']; host: string; port: number }
  | { ok: true; form: 'http'; kind: Authority['kind']; host: string; port: number; path: string }
  | { ok: false; status: 400; reason: 'malformed_request' | 'name_mismatch'; detail: string };

const httpPort = 80;
const httpScheme = /^http:\/\//i;
const endOfAuthority = /[/?]/;

const malformed = (detail: string): RequestTarget => ({ ok: false, status: 400, reason: 'malformed_request', detail });
const mismatch = (detail: string): RequestTarget => ({ ok: false, status: 400, reason: 'name_mismatch', detail });

const readConnect = (head: RequestHead): RequestTarget => {
  const target = readAuthority(head.target, { portRequired: true });
  if (!target.ok) return malformed(`The target of CONNECT is malformed. ${target.detail}`);
  const { kind, host } = target;
  const port = target.port ?? 0;
  const sameHost = head.host === null || (head.host.host === host && (head.host.port ?? port) === port);
  return sameHost ? { ok: true, form: 'connect', kind, host, port } : mismatch('The Host header names something else than CONNECT does.');
};

const readAbsolute = (head: RequestHead): { authority: Authority; path: string } | RequestTarget => {
  if (!httpScheme.test(head.target)) return malformed('The target of the request is not a path or an http:// address.');
  const rest = head.target.slice('http://'.length);
  const end = rest.search(endOfAuthority);
  const authority = readAuthority(end === -1 ? rest : rest.slice(0, end), { portRequired: false });
  if (!authority.ok) return malformed(`The target of the request is malformed. ${authority.detail}`);
  const path = end === -1 ? '' : rest.slice(end);
  if (path === '' && head.method === 'OPTIONS') return { authority, path: '*' };
  return { authority, path: path.startsWith('/') ? path : `/${path}` };
};

const isOrigin = (head: RequestHead): boolean => head.target.startsWith('/') || (head.target === '*' && head.method === 'OPTIONS');

const noHost = malformed('The request has no Host header.');

const readExplicit = (head: RequestHead): RequestTarget => {
  if (head.host === null) return noHost;
  if (isOrigin(head)) return malformed('A request to a proxy needs a whole address as its target.');
  const absolute = readAbsolute(head);
  if ('ok' in absolute) return absolute;
  const { kind, host } = absolute.authority;
  const port = absolute.authority.port ?? httpPort;
  if (head.host.host !== host || (head.host.port ?? httpPort) !== port) {
    return mismatch('The Host header names something else than the target does.');
  }
  return { ok: true, form: 'http', kind, host, port, path: absolute.path };
};

const readTransparent = (head: RequestHead, port: number): RequestTarget => {
  if (head.host === null) return noHost;
  const { kind, host } = head.host;
  if ((head.host.port ?? port) !== port) return mismatch('The Host header names another port than that of the connection.');
  if (isOrigin(head)) return { ok: true, form: 'http', kind, host, port, path: head.target };
  const absolute = readAbsolute(head);
  if ('ok' in absolute) return absolute;
  if (absolute.authority.host !== host || (absolute.authority.port ?? httpPort) !== port) {
    return mismatch('The target of the request names something else than the Host header does.');
  }
  return { ok: true, form: 'http', kind, host, port, path: absolute.path };
};

/**
 * Reads where a request wants to go. `explicit` is a request to a proxy: CONNECT or a whole address. Else the connection was made to the
 * destination itself, on `port`: a path, and no CONNECT.
 */
export const readTarget = (head: RequestHead, mode: { mode: 'explicit' } | { mode: 'transparent'; port: number }): RequestTarget => {
  if (mode.mode === 'explicit') return head.method === 'CONNECT' ? readConnect(head) : readExplicit(head);
  return head.method === 'CONNECT' ? malformed('CONNECT is only for a proxy.') : readTransparent(head, mode.port);
};
