// Reads the mark that a carrier writes before everything else on a TCP connection: a PROXY v2 header without addresses, whose unique id is the
// token of the sandbox and the way that is meant. What follows is what the gate's relay would have said at a socket of the host.
// Source: HAProxy, "The PROXY protocol", 2.2 (PP2_TYPE_UNIQUE_ID).
import { createHash, timingSafeEqual } from 'node:crypto';

/** Which of a sandbox's two doors a connection is for. */
export type CarriedWay = 'proxy' | 'names';

/** What the bytes so far say; `bytes` is where what the gate said begins. */
export type CarrierMark = { state: 'more' } | { state: 'bad' } | { state: 'mark'; id: string; bytes: number };

const start = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x20\0', 'latin1');
const fixedBytes = 16;
/** More than a token and the name of a way need. */
const mostBytesAfter = 128;
const uniqueId = 0x05;

/** Reads the mark from the first bytes; call again with more while it says `more`. Needs at most 144. */
export const readCarrierMark = (bytes: Buffer): CarrierMark => {
  const seen = Math.min(bytes.length, start.length);
  if (bytes.compare(start, 0, seen, 0, seen) !== 0) return { state: 'bad' };
  if (bytes.length < fixedBytes) return { state: 'more' };
  const length = bytes.readUInt16BE(14);
  if (length < 3 || length > mostBytesAfter) return { state: 'bad' };
  if (bytes.length < fixedBytes + length) return { state: 'more' };
  const isOne = bytes[fixedBytes] === uniqueId && bytes.readUInt16BE(fixedBytes + 1) === length - 3;
  if (!isOne) return { state: 'bad' };
  return { state: 'mark', id: bytes.toString('latin1', fixedBytes + 3, fixedBytes + length), bytes: fixedBytes + length };
};

// Hashed first, so that lengths are equal and a comparison tells nothing by its time.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The way that a mark with this token means; null when it is not this token. */
export const carriedWay = (id: string, token: string): CarriedWay | null => {
  const ways = (['proxy', 'names'] as const).filter((way) => timingSafeEqual(digest(id), digest(`${token}-${way}`)));
  return ways[0] ?? null;
};
