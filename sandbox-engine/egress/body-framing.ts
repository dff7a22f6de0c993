// Decides from the headers where a body ends. One length, said once and plainly, or none. Source: RFC 9112 6; NETWORK.md D09.
import { type HeaderLines, valuesOf } from './read-header-lines.ts';

/** Where a body ends: at once, after so many bytes, after the last chunk, or with the connection. */
export type BodyFraming = { kind: 'none' } | { kind: 'length'; bytes: number } | { kind: 'chunked' } | { kind: 'close' };

const lengthText = /^(?:0|[1-9][0-9]{0,14})$/;

/** How the headers frame a body; `absent` is what their silence means. A string says what is wrong. */
export const readFraming = (lines: HeaderLines, version: '1.0' | '1.1', absent: 'none' | 'close'): BodyFraming | string => {
  const lengths = valuesOf(lines, 'content-length');
  const encodings = valuesOf(lines, 'transfer-encoding');
  if (lengths.length + encodings.length === 0) return { kind: absent };
  if (lengths.length + encodings.length > 1) return 'The length of the body is said more than once.';
  const [length] = lengths;
  if (length !== undefined) {
    return lengthText.test(length) ? { kind: 'length', bytes: Number(length) } : 'Content-Length is not a plain number.';
  }
  if (encodings[0] !== 'chunked') return 'Transfer-Encoding is something else than "chunked".';
  return version === '1.1' ? { kind: 'chunked' } : 'HTTP/1.0 has no Transfer-Encoding.';
};
