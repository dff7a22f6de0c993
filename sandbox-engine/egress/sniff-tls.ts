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

/** The part of a message that has come: its pieces, and its whole length once that is known. */
interface Message {
  pieces: Buffer[];
  length: number;
  whole: number | null;
}

const headOf = (message: Message): Buffer =>
  (message.pieces[0]?.length ?? 0) >= messageHeader ? (message.pieces[0] as Buffer) : Buffer.concat(message.pieces);

// Adds a piece of one record; `endOfRecord` is what the message would measure with the whole record.
const addPiece = (message: Message, piece: Buffer, endOfRecord: number): TlsSniff | null => {
  if (piece.length > 0) message.pieces.push(piece);
  message.length += piece.length;
  if (message.length === 0) return null;
  if (message.whole === null) {
    const head = headOf(message);
    if (head[0] !== clientHello) return bad('The first TLS message is not a ClientHello.');
    if (message.length < messageHeader) return null;
    message.whole = messageHeader + head.readUIntBE(1, 3);
    if (message.whole > mostHelloBytes - recordHeader) return tooLong;
  }
  return endOfRecord > message.whole ? bad('Something follows the ClientHello in the same TLS record.') : null;
};

const problemInRecord = (bytes: Buffer, at: number): string | null => {
  if (bytes[at] !== handshakeRecord) return 'The ClientHello is interrupted by another TLS record.';
  if (bytes.length > at + 1 && bytes[at + 1] !== tlsMajor) return 'A TLS record has an unknown version.';
  if (bytes.length < at + recordHeader) return null;
  const length = bytes.readUInt16BE(at + 3);
  return length === 0 || length > longestRecord ? 'A TLS record has a wrong length.' : null;
};

const sniffRecords = (bytes: Buffer): TlsSniff => {
  const message: Message = { pieces: [], length: 0, whole: null };
  for (let at = 0; at < bytes.length; ) {
    const problem = problemInRecord(bytes, at);
    if (problem !== null) return bad(problem);
    if (bytes.length < at + recordHeader) return more;
    const start = at + recordHeader;
    const end = start + bytes.readUInt16BE(at + 3);
    const answer = addPiece(message, bytes.subarray(start, Math.min(end, bytes.length)), message.length + end - start);
    if (answer !== null) return answer;
    if (message.length === message.whole) return readHelloBody(Buffer.concat(message.pieces).subarray(messageHeader));
    at = end;
  }
  return more;
};

/** Looks at all bytes that have come so far; call again with more of them while it says `more`, which ends at 16 KiB. */
export const sniffClientHello = (given: Buffer): TlsSniff => {
  const bytes = given.length > mostHelloBytes ? given.subarray(0, mostHelloBytes) : given;
  const [first, second] = bytes;
  if (first === undefined) return more;
  if (first >= 0x80) return sniffSsl2(bytes);
  if (first !== handshakeRecord) return notTls;
  if (second === undefined) return more;
  if (second !== tlsMajor) return notTls;
  const answer = sniffRecords(bytes);
  return answer.state === 'more' && given.length >= mostHelloBytes ? tooLong : answer;
};
