// Follows one body to its end and says which bytes are passed on. Keeps nothing: what passes are views of what came.
// Chunk extensions and trailers are cut out, within bounds. Source: RFC 9112 6.3 and 7.1; NETWORK.md D10, D11.
import type { BodyFraming } from './body-framing.ts';

/** What became of some bytes: those to pass on, in order; those that belong to what comes after the body; whether the body has ended. */
export interface Framed {
  pass: Buffer[];
  rest: Buffer;
  done: boolean;
  /** What is wrong with the body; then nothing more may be passed on. */
  bad: string | null;
}

/** Takes the bytes as they come. A body that ends at once is done with the first push, be it empty. */
export interface BodyFramer {
  push: (bytes: Buffer) => Framed;
  /** How much of the last push had to be looked at one by one: a body of tiny chunks costs many times its bytes. */
  steps: () => number;
}

const nothing = Buffer.alloc(0);
const noSteps = (): number => 0;
const mostSkipped = 16_384;
const mostDigits = 13;
const cr = 0x0d;
const lf = 0x0a;
const semicolon = 0x3b;
const tab = 0x09;

const createLengthFramer = (bytesInBody: number): BodyFramer => {
  let left = bytesInBody;
  const push = (bytes: Buffer): Framed => {
    if (bytes.length < left) {
      left -= bytes.length;
      return { pass: bytes.length === 0 ? [] : [bytes], rest: nothing, done: false, bad: null };
    }
    const pass = left === 0 ? [] : [bytes.length === left ? bytes : bytes.subarray(0, left)];
    const rest = bytes.length === left ? nothing : bytes.subarray(left);
    left = 0;
    return { pass, rest, done: true, bad: null };
  };
  return { push, steps: noSteps };
};

const createOpenFramer = (): BodyFramer => ({
  push: (bytes) => ({ pass: bytes.length === 0 ? [] : [bytes], rest: nothing, done: false, bad: null }),
  steps: noSteps,
});

const hexValue = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

const isPlain = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || byte === tab;

type Place = 'size' | 'extension' | 'size-end' | 'data' | 'data-cr' | 'data-lf' | 'trailers' | 'trailer' | 'trailer-lf' | 'last-lf' | 'end';

/** Where in a chunked body we are. */
interface Chunks {
  place: Place;
  digits: number;
  size: number;
  skipped: number;
  /** Where in these bytes the run begins that passes; -1 while nothing does. */
  runStart: number;
  steps: number;
  bad: string | null;
}

const fail = (chunks: Chunks, bad: string): Place => {
  chunks.bad = bad;
  return 'end';
};

const skip = (chunks: Chunks, byte: number, place: Place): Place => {
  chunks.skipped += 1;
  if (chunks.skipped > mostSkipped) return fail(chunks, `The extensions and trailers of the body are longer than ${mostSkipped} bytes.`);
  return isPlain(byte) ? place : fail(chunks, 'An extension or a trailer of the body contains a byte that is not allowed.');
};

const expect = (chunks: Chunks, isRight: boolean, place: Place): Place =>
  isRight ? place : fail(chunks, 'A line of the body does not end in CR LF.');

const inSize = (chunks: Chunks, byte: number): Place => {
  const value = hexValue(byte);
  if (value !== -1) {
    chunks.digits += 1;
    chunks.size = chunks.size * 16 + value;
    return chunks.digits > mostDigits ? fail(chunks, 'The size of a chunk is too large.') : 'size';
  }
  if (chunks.digits > 0 && byte === cr) return 'size-end';
  if (chunks.digits > 0 && byte === semicolon) return skip(chunks, byte, 'extension');
  return fail(chunks, 'The size of a chunk is not a plain hexadecimal number.');
};

const inSizeEnd = (chunks: Chunks, byte: number): Place => {
  chunks.digits = 0;
  return expect(chunks, byte === lf, chunks.size === 0 ? 'trailers' : 'data');
};

// What one byte leads to, in every place but the data, which is jumped over.
const steps: Record<Place, (chunks: Chunks, byte: number) => Place> = {
  size: inSize,
  extension: (chunks, byte) => (byte === cr ? 'size-end' : skip(chunks, byte, 'extension')),
  'size-end': inSizeEnd,
  data: () => 'data',
  'data-cr': (chunks, byte) => expect(chunks, byte === cr, 'data-lf'),
  'data-lf': (chunks, byte) => expect(chunks, byte === lf, 'size'),
  trailers: (chunks, byte) => (byte === cr ? 'last-lf' : skip(chunks, byte, 'trailer')),
  trailer: (chunks, byte) => (byte === cr ? 'trailer-lf' : skip(chunks, byte, 'trailer')),
  'trailer-lf': (chunks, byte) => expect(chunks, byte === lf, 'trailers'),
  'last-lf': (chunks, byte) => expect(chunks, byte === lf, 'end'),
  end: () => 'end',
};

const isCut = (place: Place): boolean => place === 'extension' || place === 'trailer' || place === 'trailer-lf';

const jump = (chunks: Chunks, bytes: Buffer, at: number): number => {
  const length = Math.min(chunks.size, bytes.length - at);
  chunks.size -= length;
  if (chunks.size === 0) chunks.place = 'data-cr';
  return at + length;
};

const endRun = (chunks: Chunks, bytes: Buffer, at: number, pass: Buffer[]): void => {
  const { runStart } = chunks;
  chunks.runStart = -1;
  if (runStart === -1 || runStart === at) return;
  pass.push(runStart === 0 && at === bytes.length ? bytes : bytes.subarray(runStart, at));
};

// The line end of an extension passes, and that of the body; that of a trailer does not.
const step = (chunks: Chunks, bytes: Buffer, at: number, pass: Buffer[]): void => {
  chunks.place = steps[chunks.place](chunks, bytes[at] ?? 0);
  if (isCut(chunks.place)) endRun(chunks, bytes, at, pass);
  else if (chunks.runStart === -1 && (chunks.place === 'size-end' || chunks.place === 'last-lf')) chunks.runStart = at;
};

const isLineEnd = (bytes: Buffer, at: number): boolean => bytes[at] === cr && bytes[at + 1] === lf;

// A line that says nothing but a size, and is there as a whole: answers where the data begins. These two answer -1 for what is to be read byte
// by byte.
const readPlainSize = (chunks: Chunks, bytes: Buffer, from: number): number => {
  let at = from;
  let size = 0;
  for (let value = hexValue(bytes[at] ?? 0); value !== -1 && at - from < mostDigits; value = hexValue(bytes[at] ?? 0)) {
    size = size * 16 + value;
    at += 1;
  }
  if (at === from || chunks.digits > 0 || !isLineEnd(bytes, at)) return -1;
  chunks.size = size;
  chunks.place = size === 0 ? 'trailers' : 'data';
  return at + 2;
};

const readPlainEnd = (chunks: Chunks, bytes: Buffer, at: number): number => {
  if (!isLineEnd(bytes, at)) return -1;
  chunks.place = 'size';
  return at + 2;
};

const readPlainLine = (chunks: Chunks, bytes: Buffer, at: number): number => {
  if (chunks.place === 'size') return readPlainSize(chunks, bytes, at);
  return chunks.place === 'data-cr' ? readPlainEnd(chunks, bytes, at) : -1;
};

const goOn = (chunks: Chunks, bytes: Buffer, at: number, pass: Buffer[]): number => {
  if (chunks.place === 'data') return jump(chunks, bytes, at);
  const next = readPlainLine(chunks, bytes, at);
  if (next !== -1) return next;
  step(chunks, bytes, at, pass);
  return at + 1;
};

// Notes the runs of bytes that pass; answers where it stopped.
const walk = (chunks: Chunks, bytes: Buffer, pass: Buffer[]): number => {
  let at = 0;
  chunks.runStart = isCut(chunks.place) ? -1 : 0;
  chunks.steps = 0;
  while (at < bytes.length && chunks.place !== 'end') {
    at = goOn(chunks, bytes, at, pass);
    chunks.steps += 1;
  }
  endRun(chunks, bytes, at, pass);
  return at;
};

const createChunkedFramer = (): BodyFramer => {
  const chunks: Chunks = { place: 'size', digits: 0, size: 0, skipped: 0, runStart: 0, steps: 0, bad: null };
  const push = (bytes: Buffer): Framed => {
    const pass: Buffer[] = [];
    const at = walk(chunks, bytes, pass);
    if (chunks.bad !== null) return { pass: [], rest: nothing, done: false, bad: chunks.bad };
    return { pass, rest: at === bytes.length ? nothing : bytes.subarray(at), done: chunks.place === 'end', bad: null };
  };
  return { push, steps: () => chunks.steps };
};

/** Makes the framer of one body. A body that ends with its connection is never done. */
export const createBodyFramer = (framing: BodyFraming): BodyFramer => {
  if (framing.kind === 'chunked') return createChunkedFramer();
  if (framing.kind === 'close') return createOpenFramer();
  return createLengthFramer(framing.kind === 'length' ? framing.bytes : 0);
};
