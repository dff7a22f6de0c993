// Reads hosts, ports and authorities as they stand on the wire into their one spelling. Decides nothing about them.
// No URL parser: it strips, decodes and maps what must be refused. Source: NETWORK.md 1.4; RFC 1035, RFC 3986 3.2.
import { readIpAddress } from './address.ts';

/** Why a text is no host, port or authority; `detail` is for people. */
export interface Malformed {
  ok: false;
  reason: 'malformed_request';
  detail: string;
}

/** A host in its one spelling: names in lower case without a final dot, IPv6 in brackets. */
export interface Host {
  ok: true;
  kind: 'name' | 'ipv4' | 'ipv6';
  host: string;
}

/** A host with the port that stands behind it; null when none does. */
export interface Authority extends Host {
  port: number | null;
}

const malformed = (detail: string): Malformed => ({ ok: false, reason: 'malformed_request', detail });

const longestName = 253;
const longestLabel = 63;
const longestIpv6 = 45;
const nameBytes = /^[A-Za-z0-9._-]+$/;
const odd = /[^A-Za-z0-9._-]/;
const edgeHyphen = /^-|-$/;
const numeric = /^(?:[0-9]+$|0x)/;
const dottedQuad = /^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$/;
const portText = /^[1-9][0-9]{0,4}$/;

const nameCharacter = (text: string): string => {
  const code = odd.exec(text)?.[0].charCodeAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

const problemInLabels = (labels: string[]): string | null => {
  for (const [index, label] of labels.entries()) {
    if (label === '') return `Label ${index + 1} of the host is empty.`;
    if (label.length > longestLabel) return `Label ${index + 1} of the host is longer than ${longestLabel} characters.`;
    if (edgeHyphen.test(label)) return `Label ${index + 1} of the host begins or ends with a hyphen.`;
  }
  if (numeric.test(labels.at(-1) ?? '')) return 'The host looks like an IP address in a spelling that is not accepted.';
  return null;
};

const readBracketed = (text: string): Host | Malformed => {
  if (!text.endsWith(']')) return malformed('A host in brackets does not end with one.');
  const inner = text.slice(1, -1);
  const address = inner.length <= longestIpv6 && inner.includes(':') ? readIpAddress(inner) : null;
  if (address === null) return malformed('The host in brackets is not an IPv6 address.');
  return { ok: true, kind: address.kind, host: address.kind === 'ipv6' ? `[${address.ip}]` : address.ip };
};

const readName = (text: string): Host | Malformed => {
  const host = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase();
  if (host.length > longestName) return malformed(`The host is longer than ${longestName} characters.`);
  const problem = problemInLabels(host.split('.'));
  return problem === null ? { ok: true, kind: 'name', host } : malformed(problem);
};

/** Reads one host: a name, a dotted quad, or IPv6 in brackets. Whatever else stands there is malformed, and never looked up. */
export const readHost = (given: string | Buffer): Host | Malformed => {
  const text = typeof given === 'string' ? given : given.toString('latin1', 0, longestName + 3);
  if (text === '') return malformed('The host is empty.');
  if (text.startsWith('[')) return readBracketed(text);
  if (text.length > longestName + 1) return malformed(`The host is longer than ${longestName} characters.`);
  if (!nameBytes.test(text)) return malformed(`The host contains a character that is not allowed: ${nameCharacter(text)}.`);
  if (dottedQuad.test(text) && readIpAddress(text) !== null) return { ok: true, kind: 'ipv4', host: text };
  return readName(text);
};

/** Reads a port: decimal, 1 to 65535, no sign, no leading zero, nothing around it. */
export const readPort = (text: string): { ok: true; port: number } | Malformed => {
  const port = portText.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) return malformed('The port is not a whole number from 1 to 65535.');
  return { ok: true, port };
};

const splitPort = (text: string): [host: string, port: string | null] => {
  const colon = text.startsWith('[') ? text.indexOf(']:') + 1 : text.indexOf(':');
  return colon < 1 ? [text, null] : [text.slice(0, colon), text.slice(colon + 1)];
};

/** Reads `host` or `host:port`, as in a CONNECT target, an absolute-form target or a Host header; no user, no path. */
export const readAuthority = (text: string, { portRequired }: { portRequired: boolean }): Authority | Malformed => {
  const [hostPart, portPart] = splitPort(text);
  const host = readHost(hostPart);
  if (!host.ok) return host;
  if (portPart === null && portRequired) return malformed('The port is missing.');
  const port = portPart === null ? null : readPort(portPart);
  if (port !== null && !port.ok) return port;
  return { ok: true, kind: host.kind, host: host.host, port: port === null ? null : port.port };
};
