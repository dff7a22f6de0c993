// Reads the one PROXY v2 header that the gate's relay writes before a sandbox's bytes. Whatever follows it is the sandbox's own.
// The source in it is never used: in the gate it equals the destination. Source: HAProxy, "The PROXY protocol", 2.2.
import { readIpAddress } from './address.ts';

/** What the bytes so far say; `headerBytes` is where the sandbox's own bytes begin. */
export type ProxyHeader =
  | { state: 'more' }
  | { state: 'bad'; detail: string }
  | { state: 'header'; destination: { ip: string; port: number }; headerBytes: number };

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedBytes = 16;
const proxyCommand = 0x21;
const tcp4 = { family: 0x11, addressBytes: 4, length: 12 };
const tcp6 = { family: 0x21, addressBytes: 16, length: 36 };
const mostBytesAfter = 512;

const bad = (detail: string): ProxyHeader => ({ state: 'bad', detail });

const readIp = (bytes: Buffer, at: number, length: number): string => {
  const text =
    length === 4
      ? bytes.subarray(at, at + 4).join('.')
      : Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(at + 2 * group).toString(16)).join(':');
  return readIpAddress(text)?.ip ?? text;
};

/** Reads the header from the first bytes of a connection; call again with more bytes while it says `more`. Needs at most 528. */
export const readProxyHeader = (bytes: Buffer): ProxyHeader => {
  const seen = Math.min(bytes.length, signature.length);
  if (bytes.compare(signature, 0, seen, 0, seen) !== 0) return bad('The connection does not begin with a PROXY v2 header.');
  if (bytes.length > 12 && bytes[12] !== proxyCommand) return bad('The PROXY header is not version 2 with the command PROXY.');
  if (bytes.length > 13 && bytes[13] !== tcp4.family && bytes[13] !== tcp6.family) return bad('The PROXY header is not about TCP.');
  if (bytes.length < fixedBytes) return { state: 'more' };
  const family = bytes[13] === tcp4.family ? tcp4 : tcp6;
  const length = bytes.readUInt16BE(14);
  if (length < family.length || length > mostBytesAfter) return bad('The PROXY header has a wrong length.');
  if (bytes.length < fixedBytes + length) return { state: 'more' };
  const port = bytes.readUInt16BE(fixedBytes + family.length - 2);
  if (port === 0) return bad('The PROXY header names port 0.');
  const ip = readIp(bytes, fixedBytes + family.addressBytes, family.addressBytes);
  return { state: 'header', destination: { ip, port }, headerBytes: fixedBytes + length };
};
