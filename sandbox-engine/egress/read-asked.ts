// Reads what a person asks about: a URL, `host:port` or a host. Strict about the host, as on the wire; kind about what stands around it.
import { readAuthority } from './destination.ts';
import type { Destination } from './policy.ts';

/** A destination in canonical form, or what is wrong with the text. */
export type Asked = { ok: true; destination: Destination } | { ok: false; detail: string };

const schemePorts: Record<string, number> = {
  http: 80,
  ws: 80,
  https: 443,
  wss: 443,
  ssh: 22,
  'git+ssh': 22,
  git: 9418,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  redis: 6379,
  mongodb: 27017,
};

const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)/i;

const read = (authority: string, fallback: number | undefined, scheme: string): Asked => {
  if (authority.includes('@')) return { ok: false, detail: 'Leave out the user before "@".' };
  const found = readAuthority(authority, { portRequired: false });
  if (!found.ok) return { ok: false, detail: found.detail };
  const port = found.port ?? fallback;
  if (port === undefined) return { ok: false, detail: `The port of "${scheme}" is not known; write it behind the host, as in host:1234.` };
  return { ok: true, destination: { host: found.host, port } };
};

/** Reads the question; without a port that of the scheme is meant, without a scheme 443. */
export const readAsked = (text: string): Asked => {
  const asked = text.trim();
  const found = url.exec(asked);
  if (found === null) return read(asked.replace(/[/?#].*$/s, ''), 443, 'https');
  const [, scheme = '', authority = ''] = found;
  const known = scheme.toLowerCase();
  return read(authority, Object.hasOwn(schemePorts, known) ? schemePorts[known] : undefined, known);
};
