// Reads one HTTP/1 response head from an upstream server, strictly; what is wrong with it becomes a 502 and never reaches the client.
// Source: RFC 9112 4 and 6.3; RFC 9110 15.2; NETWORK.md D25, D32.
import { type BodyFraming, readFraming } from './body-framing.ts';
import { forbiddenInHead, type HeaderLines, headEnd, nameByte, readHeaderLines, valuesOf, wordsOf } from './read-header-lines.ts';
import type { RequestHead } from './read-http-head.ts';

/** One response head; more heads follow an `interim` one, and after a `switch` the bytes are no longer HTTP. */
export interface ResponseHead extends HeaderLines {
  state: 'head';
  kind: 'interim' | 'final' | 'switch';
  version: '1.0' | '1.1';
  status: number;
  phrase: string;
  headBytes: number;
  framing: BodyFraming;
  /** Whether the upstream connection can carry another request afterwards. */
  keepAlive: boolean;
}

/** What the bytes so far say. */
export type ResponseSniff = { state: 'more' } | { state: 'bad'; status: 502; reason: 'upstream_failed'; detail: string } | ResponseHead;

/** Most bytes of a response head. */
export const mostResponseHeadBytes = 65_536;
const mostHeaders = 256;

const more: ResponseSniff = { state: 'more' };
const bad = (detail: string): ResponseSniff => ({ state: 'bad', status: 502, reason: 'upstream_failed', detail });
const statusLine = /^HTTP\/(1\.[01]) ([1-5][0-9]{2})(?: (.*))?$/;
const startOfResponse = Buffer.from('HTTP/1.', 'latin1');

const chunkedInAnyCase = (lines: HeaderLines): HeaderLines => {
  const at = lines.names.indexOf('transfer-encoding');
  const header = lines.headers[at];
  if (header !== undefined) header[1] = header[1].toLowerCase();
  return lines;
};

/** The request to which a response belongs. */
type Asked = Pick<RequestHead, 'method' | 'version' | 'upgrade'>;

const framingOf = (lines: HeaderLines, version: '1.0' | '1.1', status: number, asked: Asked): BodyFraming | string => {
  const framing = readFraming(chunkedInAnyCase(lines), version, 'close');
  if (typeof framing === 'string') return framing;
  if (status < 200 || status === 204 || status === 304 || asked.method === 'HEAD') return { kind: 'none' };
  return framing.kind === 'chunked' && asked.version === '1.0' ? 'HTTP/1.0 was asked for, and cannot be answered in chunks.' : framing;
};

const kindOf = (lines: HeaderLines, status: number, asked: Asked): ResponseHead['kind'] | null => {
  if (status !== 101) return status < 200 ? 'interim' : 'final';
  const names = valuesOf(lines, 'upgrade');
  return names.length === 1 && names[0]?.toLowerCase() === asked.upgrade ? 'switch' : null;
};

const readLines = (text: string, asked: Asked): ResponseSniff => {
  const lineEnd = text.indexOf('\r\n');
  const line = statusLine.exec(text.slice(0, lineEnd));
  if (line === null) return bad('The status line of the response is malformed.');
  const lines = readHeaderLines(text, lineEnd + 2, mostHeaders);
  if (typeof lines === 'string') return bad(lines);
  const version = line[1] === '1.1' ? '1.1' : '1.0';
  const status = Number(line[2]);
  const kind = kindOf(lines, status, asked);
  if (kind === null) return bad('The server switches to a protocol that was not asked for.');
  const framing = framingOf(lines, version, status, asked);
  if (typeof framing === 'string') return bad(framing);
  const keepAlive = version === '1.1' && framing.kind !== 'close' && !wordsOf(lines, 'connection').includes('close');
  const { headers, names } = lines;
  return { state: 'head', kind, version, status, phrase: line[3] ?? '', headers, names, headBytes: text.length + 2, framing, keepAlive };
};

/**
 * Reads the head at the beginning of the bytes. While it says `more`, call again with more bytes, which ends at 64 KiB; `alreadyRead`
 * tells how many of them the last call has seen. How many `interim` heads may follow each other is for the caller to bound.
 */
export const readResponseHead = (given: Buffer, asked: Asked, alreadyRead = 0): ResponseSniff => {
  const bytes = given.length > mostResponseHeadBytes ? given.subarray(0, mostResponseHeadBytes) : given;
  const seen = Math.min(bytes.length, startOfResponse.length);
  if (bytes.compare(startOfResponse, 0, seen, 0, seen) !== 0) return bad('The answer of the server is not HTTP/1.');
  const end = bytes.indexOf(headEnd, Math.max(0, alreadyRead - 3));
  if (end === -1) {
    return bytes.length < mostResponseHeadBytes ? more : bad(`The head of the response is longer than ${mostResponseHeadBytes} bytes.`);
  }
  const text = bytes.toString('latin1', 0, end + 2);
  const wrong = text.search(forbiddenInHead);
  return wrong === -1 ? readLines(text, asked) : bad(`The head of the response contains ${nameByte(text, wrong)}.`);
};
