// Finds the one name in a TLS ClientHello by looking at a connection's first bytes. Changes nothing, decides nothing about the name.
// Stricter than a server has to be: where two readers could see two names, it is bad. Source: RFC 8446 4.1.2, 5.1; RFC 6066 3.
import { readHelloBody } from './read-hello-body.ts';

/** What the first bytes are; `sni` in its one spelling, null when there is none; `ech` when the true name may be another, hidden one. */
export type TlsSniff =
  | { state: 'more' }
  | { state: 'not_tls' }
  | { state: 'hello'; sni: string | null; ech: boolean }
  | { state: 'bad'; reason: 'malformed_client_hello' | 'limit_exceeded'; detail: string };

/** Most bytes that are looked at; a hello that is not complete within them is bad. */
export const mostHelloBytes = 16_384;

const handshakeRecord = 0x16;
const tlsMajor = 0x03;
const clientHello = 1;
const recordHeader = 5;
const messageHeader = 4;
const longestRecord = 16_384;

const more: TlsSniff = { state: 'more' };
const notTls: TlsSniff = { state: 'not_tls' };
const bad = (detail: string): TlsSniff => ({ state: 'bad', reason: 'malformed_client_hello', detail });
const tooLong: TlsSniff = {
  state: 'bad',
  reason: 'limit_exceeded',
  detail: `The ClientHello is longer than ${mostHelloBytes} bytes.`,
};

// Hellos of before TLS carry no name. Source: RFC 5246, E.2.
const sniffSsl2 = (bytes: Buffer): TlsSniff => {
  if (bytes.length < 5) return bytes.length > 2 && bytes[2] !== clientHello ? notTls : more;
  const version = bytes.readUInt16BE(3);
  const isHello = bytes[2] === clientHello && (version === 0x0002 || version >> 8 === tlsMajor);
  return isHello ? { state: 'hello', sni: null, ech: false } : notTls;
};

/** The part of a message that has come: where its pieces lie among the bytes, and its whole length once that is known. */
interface Message {
  pieces: [start: number, length: number][];
  length: number;
  whole: number | null;
}

/** How far a reader has come: records that were whole are not read again when more bytes have come. */
interface Progress {
  at: number;
  message: Message;
}

const headOf = (bytes: Buffer, { pieces }: Message): Buffer =>
  Buffer.concat(pieces.slice(0, messageHeader).map(([start, length]) => bytes.subarray(start, start + Math.min(length, messageHeader))));

const bodyOf = (bytes: Buffer, { pieces }: Message): Buffer =>
  Buffer.concat(pieces.map(([start, length]) => bytes.subarray(start, start + length))).subarray(messageHeader);

// Adds a piece of one record; `endOfRecord` is what the message would measure with the whole record.
const addPiece = (message: Message, bytes: Buffer, [start, length]: [number, number], endOfRecord: number): TlsSniff | null => {
  if (length > 0) message.pieces.push([start, length]);
  message.length += length;
  if (message.length === 0) return null;
  if (message.whole === null) {
    const head = headOf(bytes, message);
    if (head[0] !== clientHello) return bad('The first TLS message is not a ClientHello.');
    if (message.length < messageHeader) return null;
    message.whole = messageHeader + head.readUIntBE(1, 3);
    if (message.whole > mostHelloBytes - recordHeader) return tooLong;
  }
  return endOfRecord > message.whole ? bad('Something follows the ClientHello in the same TLS record.') : null;
};

// The piece of a record that is not whole yet is looked at, and again with the rest of it.
const lookAtPiece = (message: Message, bytes: Buffer, start: number, endOfRecord: number): TlsSniff => {
  const { whole } = message;
  const length = bytes.length - start;
  const answer = addPiece(message, bytes, [start, length], endOfRecord);
  if (length > 0) message.pieces.pop();
  message.length -= length;
  message.whole = whole;
  return answer ?? more;
};

const problemInRecord = (bytes: Buffer, at: number): string | null => {
  if (bytes[at] !== handshakeRecord) return 'The ClientHello is interrupted by another TLS record.';
  if (bytes.length > at + 1 && bytes[at + 1] !== tlsMajor) return 'A TLS record has an unknown version.';
  if (bytes.length < at + recordHeader) return null;
  const length = bytes.readUInt16BE(at + 3);
  return length === 0 || length > longestRecord ? 'A TLS record has a wrong length.' : null;
};

const sniffRecords = (bytes: Buffer, progress: Progress): TlsSniff => {
  const { message } = progress;
  while (progress.at < bytes.length) {
    const { at } = progress;
    const problem = problemInRecord(bytes, at);
    if (problem !== null) return bad(problem);
    if (bytes.length < at + recordHeader) return more;
    const start = at + recordHeader;
    const length = bytes.readUInt16BE(at + 3);
    const endOfRecord = message.length + length;
    if (start + length > bytes.length) return lookAtPiece(message, bytes, start, endOfRecord);
    const answer = addPiece(message, bytes, [start, length], endOfRecord);
    if (answer !== null) return answer;
    if (message.length === message.whole) return readHelloBody(bodyOf(bytes, message));
    progress.at = start + length;
  }
  return more;
};

// What does not begin as a record of TLS does; null for what does.
const withoutRecords = (bytes: Buffer): TlsSniff | null => {
  const [first, second] = bytes;
  if (first === undefined) return more;
  if (first >= 0x80) return sniffSsl2(bytes);
  if (first !== handshakeRecord) return notTls;
  if (second === undefined) return more;
  return second === tlsMajor ? null : notTls;
};

/**
 * Makes what looks at the first bytes of one connection: to be called with all that have come so far, and again with more of them while it
 * says `more`, which ends at 16 KiB. What it has read it does not read again, however small the pieces are in which the bytes come.
 */
export const createHelloSniffer = (): ((given: Buffer) => TlsSniff) => {
  const progress: Progress = { at: 0, message: { pieces: [], length: 0, whole: null } };
  return (given) => {
    const bytes = given.length > mostHelloBytes ? given.subarray(0, mostHelloBytes) : given;
    const otherwise = withoutRecords(bytes);
    if (otherwise !== null) return otherwise;
    const answer = sniffRecords(bytes, progress);
    return answer.state === 'more' && given.length >= mostHelloBytes ? tooLong : answer;
  };
};

/** Looks at all bytes that have come, once. */
export const sniffClientHello = (given: Buffer): TlsSniff => createHelloSniffer()(given);
