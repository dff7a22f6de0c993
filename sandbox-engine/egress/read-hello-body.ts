// Reads the body of one complete ClientHello, field by field to its last byte, for the name in it and for ECH.
// Source: RFC 8446 4.1.2 and 4.2; RFC 6066 3 (server_name); RFC 9849 (encrypted ClientHello).
import { readHost } from './destination.ts';
import type { TlsSniff } from './sniff-tls.ts';

const serverName = 0;
const hostName = 0;
// ECH, its drafts, and ESNI before them: each hides the true name behind another.
const hidingNames = new Set([0xfe0d, 0xfe0c, 0xfe0b, 0xfe0a, 0xfe09, 0xfe08, 0xffce]);

const bad = (detail: string): TlsSniff => ({ state: 'bad', reason: 'malformed_client_hello', detail });

/** Walks through the bytes; a length that leads beyond the end gives null, and so does everything after it. */
const createCursor = (bytes: Buffer) => {
  let at = 0;
  const take = (length: number): Buffer | null => {
    if (at + length > bytes.length) return null;
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (width: 1 | 2): number | null => take(width)?.readUIntBE(0, width) ?? null;
  const vector = (width: 1 | 2): Buffer | null => {
    const length = number(width);
    return length === null ? null : take(length);
  };
  return { take, number, vector, left: () => bytes.length - at };
};

const readServerName = (extension: Buffer): { name: string } | TlsSniff => {
  const cursor = createCursor(extension);
  const list = cursor.vector(2);
  if (list === null || list.length === 0 || cursor.left() !== 0) return bad('The server_name of the ClientHello has a wrong length.');
  const entry = createCursor(list);
  const type = entry.number(1);
  const name = entry.vector(2);
  if (type !== hostName) return bad('The server_name of the ClientHello is not a host name.');
  if (name === null) return bad('The server_name of the ClientHello has a wrong length.');
  if (entry.left() !== 0) return bad('The server_name of the ClientHello holds more than one name.');
  const host = readHost(name);
  if (!host.ok) return bad(`The server_name of the ClientHello is no host name. ${host.detail}`);
  if (host.kind !== 'name') return bad('The server_name of the ClientHello is an IP address.');
  return { name: host.host };
};

const readExtensions = (bytes: Buffer): TlsSniff => {
  const cursor = createCursor(bytes);
  const seen = new Set<number>();
  let sni: string | null = null;
  while (cursor.left() > 0) {
    const type = cursor.number(2);
    const extension = cursor.vector(2);
    if (type === null || extension === null) return bad('An extension of the ClientHello has a wrong length.');
    if (seen.has(type)) return bad('The ClientHello has an extension twice.');
    seen.add(type);
    if (type !== serverName) continue;
    const read = readServerName(extension);
    if (!('name' in read)) return read;
    sni = read.name;
  }
  return { state: 'hello', sni, ech: [...hidingNames].some((type) => seen.has(type)) };
};

/** The name in a ClientHello's body, or why the hello is bad. The body must be complete. */
export const readHelloBody = (body: Buffer): TlsSniff => {
  const cursor = createCursor(body);
  const version = cursor.take(2);
  const random = cursor.take(32);
  const session = cursor.vector(1);
  const ciphers = cursor.vector(2);
  const compression = cursor.vector(1);
  if (!version || !random || !session || !ciphers || !compression) return bad('The ClientHello ends too early.');
  if (version[0] !== 3) return bad('The ClientHello has an unknown version.');
  if (session.length > 32 || ciphers.length < 2 || ciphers.length % 2 !== 0 || compression.length < 1) {
    return bad('A list of the ClientHello has a wrong length.');
  }
  if (cursor.left() === 0) return { state: 'hello', sni: null, ech: false };
  const extensions = cursor.vector(2);
  if (extensions === null || cursor.left() !== 0) return bad('The extensions of the ClientHello have a wrong length.');
  return readExtensions(extensions);
};
