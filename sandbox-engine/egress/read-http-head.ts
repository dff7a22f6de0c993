// Reads one HTTP/1 request head, strictly: what two servers could read differently is refused. Knows bytes; who may go where is decided
// elsewhere, and what the target names is read in read-target.ts. Source: RFC 9112; NETWORK.md 1.5 and D05-D16, D27, D29, D36.
import { type BodyFraming, readFraming } from './body-framing.ts';
import { type Authority, readAuthority } from './destination.ts';
import { forbiddenInHead, type HeaderLines, headEnd, nameByte, readHeaderLines, valuesOf, wordsOf } from './read-header-lines.ts';

/** Why a request is refused before it is understood; `status` is what the client is told. */
export interface BadRequest {
  state: 'bad';
  status: 400 | 405 | 414 | 417 | 431;
  reason: 'malformed_request' | 'not_recognised' | 'limit_exceeded';
  detail: string;
}

/** One request head. `headBytes` is where its body begins, `framing` where that ends; `host` is null only for CONNECT. */
export interface RequestHead extends HeaderLines {
  state: 'head';
  method: string;
  target: string;
  version: '1.0' | '1.1';
  headBytes: number;
  host: Authority | null;
  framing: BodyFraming;
  keepAlive: boolean;
  /** The only protocol that a request may switch to, when it asks for it properly. */
  upgrade: 'websocket' | null;
}

/** What the bytes so far say. */
export type HttpHead = { state: 'more' } | BadRequest | RequestHead;

/** Most bytes of a head. */
export const mostHeadBytes = 16_384;
const mostHeaders = 128;
const longestMethod = 24;

const more: HttpHead = { state: 'more' };
const bad = (detail: string, status: BadRequest['status'] = 400): BadRequest => ({
  state: 'bad',
  status,
  reason: 'malformed_request',
  detail,
});
const tooMuch = (detail: string, status: 414 | 431): BadRequest => ({ state: 'bad', status, reason: 'limit_exceeded', detail });
const notHttp: BadRequest = { state: 'bad', status: 400, reason: 'not_recognised', detail: 'The first bytes are not an HTTP request.' };

const word = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*/;
const letters = /^[A-Za-z-]+$/;
const methodText = /^[A-Z][A-Z-]*$/;
// Visible bytes; no fragment, which never belongs on the wire.
const targetText = /^[\x21\x22\x24-\x7e\x80-\xff]+$/;

// Judges the method as soon as it is there, so that other protocols are told apart by their first bytes.
const problemInMethod = (bytes: Buffer): BadRequest | null => {
  const start = bytes.toString('latin1', 0, longestMethod + 1);
  const method = word.exec(start)?.[0] ?? '';
  if (method.length === start.length && method.length <= longestMethod) return null;
  if (start[0] === '\r' || start[0] === '\n') return bad('A request begins with an empty line.');
  if (!letters.test(method)) return notHttp;
  if (method.length > longestMethod) return bad('The method of the request is too long.');
  if (start[method.length] !== ' ') return notHttp;
  if (method === 'TRACE' || method === 'TRACK') return bad(`The method ${method} is not passed on.`, 405);
  return methodText.test(method) && method !== 'PRI' ? null : bad('The method of the request is not one of HTTP/1.');
};

type RequestLine = Pick<RequestHead, 'method' | 'target' | 'version'>;

const readRequestLine = (line: string): RequestLine | BadRequest => {
  const first = line.indexOf(' ');
  const last = line.indexOf(' ', first + 1);
  if (last === -1) return bad('The request line is not a method, a target and a version.');
  const version = line.slice(last + 1);
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') return bad('The request is not of HTTP/1.1 or HTTP/1.0.');
  const target = line.slice(first + 1, last);
  if (!targetText.test(target)) return bad('The target of the request contains a character that is not allowed.');
  return { method: line.slice(0, first), target, version: version === 'HTTP/1.1' ? '1.1' : '1.0' };
};

const readHostHeader = (lines: HeaderLines, method: string): Authority | null | BadRequest => {
  const values = valuesOf(lines, 'host');
  if (values.length > 1) return bad('The request has more than one Host header.');
  const [value] = values;
  if (value === undefined) return method === 'CONNECT' ? null : bad('The request has no Host header.');
  const host = readAuthority(value, { portRequired: false });
  return host.ok ? host : bad(`The Host header is malformed. ${host.detail}`);
};

// What a request may ask of us that we do not do.
const problemInWishes = (lines: HeaderLines): BadRequest | null => {
  if (valuesOf(lines, 'max-forwards').includes('0')) return bad('A request with "Max-Forwards: 0" is not passed on.');
  const wish = valuesOf(lines, 'expect').find((value) => value.toLowerCase() !== '100-continue');
  return wish === undefined ? null : bad('The request expects something else than 100-continue.', 417);
};

const asksForWebSocket = (lines: HeaderLines, line: RequestLine, framing: BodyFraming): boolean => {
  const wishes = valuesOf(lines, 'upgrade');
  const isPlain = line.method === 'GET' && line.version === '1.1' && framing.kind === 'none';
  return isPlain && wishes.length === 1 && wishes[0]?.toLowerCase() === 'websocket' && wordsOf(lines, 'connection').includes('upgrade');
};

const readRest = (text: string, line: RequestLine, at: number): HttpHead => {
  const lines = readHeaderLines(text, at, mostHeaders);
  if (typeof lines === 'string') return lines.startsWith('There are more') ? tooMuch(lines, 431) : bad(lines);
  const host = readHostHeader(lines, line.method);
  if (host !== null && 'state' in host) return host;
  const framing = readFraming(lines, line.version, 'none');
  if (typeof framing === 'string') return bad(framing);
  const problem = problemInWishes(lines);
  if (problem !== null) return problem;
  const keepAlive = line.version === '1.1' && !wordsOf(lines, 'connection').includes('close');
  const upgrade = asksForWebSocket(lines, line, framing) ? 'websocket' : null;
  // What follows CONNECT is the tunnel, whatever its headers say.
  const body: BodyFraming = line.method === 'CONNECT' ? { kind: 'none' } : framing;
  const { headers, names } = lines;
  const { method, target, version } = line;
  return { state: 'head', method, target, version, headers, names, headBytes: text.length + 2, host, framing: body, keepAlive, upgrade };
};

// What is left to judge of an unfinished head: bytes that an earlier call has seen are not looked at again.
const readUnfinished = (bytes: Buffer, alreadyRead: number): HttpHead => {
  const lineEnd = bytes.indexOf('\r\n', 0, 'latin1');
  const seen = Math.max(0, alreadyRead - 1);
  // An LF that was seen must not be judged again without the CR before it.
  const from = bytes[seen] === 0x0a ? seen + 1 : seen;
  const text = bytes.toString('latin1', from);
  const wrong = text.search(forbiddenInHead);
  if (lineEnd !== -1 && lineEnd + 2 > alreadyRead && !(wrong !== -1 && from + wrong < lineEnd)) {
    const line = readRequestLine(bytes.toString('latin1', 0, lineEnd));
    if ('state' in line) return line;
  }
  if (wrong !== -1) return bad(`The head contains ${nameByte(text, wrong)}.`);
  if (bytes.length < mostHeadBytes) return more;
  if (lineEnd === -1) return tooMuch(`The request line is longer than ${mostHeadBytes} bytes.`, 414);
  return tooMuch(`The head of the request is longer than ${mostHeadBytes} bytes.`, 431);
};

/**
 * Reads the head at the beginning of the bytes. While it says `more`, call again with more bytes, which ends at 16 KiB; `alreadyRead`
 * tells how many of them the last call has seen, so that none is searched twice.
 */
export const readHttpHead = (given: Buffer, alreadyRead = 0): HttpHead => {
  const bytes = given.length > mostHeadBytes ? given.subarray(0, mostHeadBytes) : given;
  if (alreadyRead <= longestMethod) {
    const problem = problemInMethod(bytes);
    if (problem !== null) return problem;
  }
  const end = bytes.indexOf(headEnd, Math.max(0, alreadyRead - 3));
  if (end === -1) return readUnfinished(bytes, alreadyRead);
  const text = bytes.toString('latin1', 0, end + 2);
  const wrong = text.search(forbiddenInHead);
  const lineEnd = text.indexOf('\r\n');
  if (wrong !== -1 && wrong < lineEnd) return bad(`The head contains ${nameByte(text, wrong)}.`);
  const line = readRequestLine(text.slice(0, lineEnd));
  if ('state' in line) return line;
  if (wrong !== -1) return bad(`The head contains ${nameByte(text, wrong)}.`);
  return readRest(text, line, lineEnd + 2);
};
