// Writes heads anew, so that what goes on holds one authority, one framing, and nothing that belongs to the hop it came from.
// Source: RFC 9110 7.6.1; RFC 9112 6 and 9.6; NETWORK.md 1.5, D25, D30.
import type { BodyFraming } from './body-framing.ts';
import { type HeaderLines, valuesOf, wordsOf } from './read-header-lines.ts';
import type { RequestHead } from './read-http-head.ts';
import type { ResponseHead } from './read-response-head.ts';

// Headers of one hop, and those that are written from what was read instead of being copied.
const notCopied = new Set([
  'connection',
  'content-length',
  'host',
  'http2-settings',
  'keep-alive',
  'max-forwards',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const isOurs = (name: string): boolean => name.startsWith('proxy-') || name.startsWith('x-sandlot-');

const copyHeaders = (lines: HeaderLines): string => {
  const { headers, names } = lines;
  const ofThisHop = new Set(wordsOf(lines, 'connection'));
  let text = '';
  for (let at = 0; at < headers.length; at++) {
    const name = names[at] as string;
    if (notCopied.has(name) || isOurs(name) || ofThisHop.has(name)) continue;
    const header = headers[at] as (typeof headers)[number];
    text += `${header[0]}: ${header[1]}\r\n`;
  }
  return text;
};

const framingLine = (framing: BodyFraming): string => {
  if (framing.kind === 'length') return `Content-Length: ${framing.bytes}\r\n`;
  return framing.kind === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : '';
};

const connectionLine = (isSwitch: boolean, keepAlive: boolean): string => {
  if (isSwitch) return 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  return keepAlive ? '' : 'Connection: close\r\n';
};

/**
 * The request as the upstream server gets it: `host` is the one authority, with its port where that is not 80; `path` is the target.
 * A request of HTTP/1.0 stays one, so that no chunked answer comes back, and ends its connection.
 */
export const writeRequestHead = (head: RequestHead, to: { host: string; path: string; keepAlive?: boolean }): Buffer => {
  const keepAlive = head.version === '1.1' && to.keepAlive !== false;
  const last = `${framingLine(head.framing)}${connectionLine(head.upgrade !== null, keepAlive)}\r\n`;
  return Buffer.from(`${head.method} ${to.path} HTTP/${head.version}\r\nHost: ${to.host}\r\n${copyHeaders(head)}${last}`, 'latin1');
};

// The length that a body would have, where the answer has none.
const lengthOfAbsent = (head: ResponseHead): string => {
  if (head.framing.kind !== 'none' || head.kind !== 'final' || head.status === 204) return '';
  const [length] = valuesOf(head, 'content-length');
  return length === undefined ? '' : `Content-Length: ${length}\r\n`;
};

/** The response as the client gets it; without `keepAlive` the client is told that the connection ends after it. */
export const writeResponseHead = (head: ResponseHead, { keepAlive }: { keepAlive: boolean }): Buffer => {
  const staysOpen = keepAlive || head.kind === 'interim';
  const last = `${framingLine(head.framing)}${lengthOfAbsent(head)}${connectionLine(head.kind === 'switch', staysOpen)}\r\n`;
  return Buffer.from(`HTTP/1.1 ${head.status} ${head.phrase}\r\n${copyHeaders(head)}${last}`, 'latin1');
};
