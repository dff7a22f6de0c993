import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyFramer } from '../../../sandbox-engine/egress/body-framer.ts';
import { mostResponseHeadBytes, readResponseHead } from '../../../sandbox-engine/egress/read-response-head.ts';

const head = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
const get = { method: 'GET', version: '1.1', upgrade: null } as const;
const switching = { ...get, upgrade: 'websocket' } as const;
const ok = 'HTTP/1.1 200 OK';

test.each([
  [
    'a length',
    [ok, 'Content-Length: 5'],
    get,
    { kind: 'final', status: 200, phrase: 'OK', framing: { kind: 'length', bytes: 5 }, keepAlive: true },
  ],
  ['chunks', [ok, 'Transfer-Encoding: chunked'], get, { framing: { kind: 'chunked' }, keepAlive: true }],
  ['chunks in capitals', [ok, 'Transfer-Encoding: CHUNKED'], get, { framing: { kind: 'chunked' } }],
  ['no length', [ok], get, { framing: { kind: 'close' }, keepAlive: false }],
  ['close', [ok, 'Content-Length: 5', 'Connection: close'], get, { framing: { kind: 'length', bytes: 5 }, keepAlive: false }],
  ['HTTP/1.0', ['HTTP/1.0 200 OK', 'Content-Length: 5', 'Connection: keep-alive'], get, { version: '1.0', keepAlive: false }],
  ['no phrase', ['HTTP/1.1 200', 'Content-Length: 0'], get, { phrase: '' }],
  ['an empty phrase', ['HTTP/1.1 200 ', 'Content-Length: 0'], get, { phrase: '' }],
  ['HEAD', [ok, 'Content-Length: 5'], { ...get, method: 'HEAD' }, { framing: { kind: 'none' }, keepAlive: true }],
  ['204', ['HTTP/1.1 204 No Content'], get, { framing: { kind: 'none' }, keepAlive: true }],
  ['304', ['HTTP/1.1 304 Not Modified', 'Content-Length: 5'], get, { framing: { kind: 'none' }, keepAlive: true }],
  ['100', ['HTTP/1.1 100 Continue'], get, { kind: 'interim', framing: { kind: 'none' } }],
  ['103', ['HTTP/1.1 103 Early Hints', 'Link: <x>'], get, { kind: 'interim', framing: { kind: 'none' } }],
  [
    '101',
    ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: WebSocket'],
    switching,
    { kind: 'switch', framing: { kind: 'none' } },
  ],
  ['200 to an upgrade', [ok, 'Content-Length: 5'], switching, { kind: 'final', framing: { kind: 'length', bytes: 5 } }],
  ['an upgrade that is offered', [ok, 'Content-Length: 5', 'Upgrade: h2,h2c'], get, { kind: 'final' }],
  ['401', ['HTTP/1.1 401 Unauthorized', 'Content-Length: 0'], get, { status: 401, phrase: 'Unauthorized' }],
  ['50 KiB of header', [ok, 'Content-Length: 0', `X: ${'a'.repeat(50 * 1024)}`], get, { status: 200 }],
] as [string, string[], typeof get, object][])('read: %s', (_, lines, asked, expected) => {
  const bytes = head(...lines);
  expect(readResponseHead(bytes, asked)).toMatchObject({ state: 'head', headBytes: bytes.length, ...expected });
});

const badStatus = 'The status line of the response is malformed.';
const saidTwice = 'The length of the body is said more than once.';

test.each([
  ['D32', head('HTTP/1.1 099 Odd'), badStatus],
  ['D32', head('HTTP/1.1 600 Odd'), badStatus],
  ['D32', head('HTTP/1.1 20 OK'), badStatus],
  ['D32', head('HTTP/1.1 2000 OK'), badStatus],
  ['D32', head('HTTP/1.1  200 OK'), badStatus],
  ['D32', head('HTTP/1.2 200 OK'), badStatus],
  ['D32', head('HTTP/1.1 200OK'), badStatus],
  ['D32', head('HTTP/2 200'), 'The answer of the server is not HTTP/1.'],
  ['D32', Buffer.from('ICY 200 OK\r\n\r\n'), 'The answer of the server is not HTTP/1.'],
  ['D32', Buffer.from('\r\nHTTP/1.1 200 OK\r\n\r\n'), 'The answer of the server is not HTTP/1.'],
  ['D32', head(ok, `X: ${'a'.repeat(1024 * 1024)}`), 'The head of the response is longer than 65536 bytes.'],
  ['D32', head(ok, 'X: a\0b'), 'The head of the response contains the byte 0x00.'],
  ['D32', head(ok, 'X: a\nSet-Cookie: b'), 'The head of the response contains a line end that is not CR LF.'],
  ['D32', head(ok, 'X: a', ' folded'), 'A header line has no colon, or continues the line before.'],
  ['D32', head(ok, 'X : a'), 'The name of a header is not one word.'],
  ['D32', head(ok, ...Array.from({ length: 257 }, () => 'a: b')), 'There are more than 256 headers.'],
  ['smuggling', head(ok, 'Content-Length: 5', 'Transfer-Encoding: chunked'), saidTwice],
  ['smuggling', head(ok, 'Content-Length: 5', 'Content-Length: 6'), saidTwice],
  ['smuggling', head(ok, 'Content-Length: 5, 5'), 'Content-Length is not a plain number.'],
  ['smuggling', head(ok, 'Transfer-Encoding: gzip, chunked'), 'Transfer-Encoding is something else than "chunked".'],
  ['smuggling', head('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked'), 'HTTP/1.0 has no Transfer-Encoding.'],
  ['101 unasked', head('HTTP/1.1 101 Switching', 'Upgrade: websocket'), 'The server switches to a protocol that was not asked for.'],
])('%s: a bad response is a 502', (_, bytes, detail) => {
  expect(readResponseHead(bytes, get)).toEqual({ state: 'bad', status: 502, reason: 'upstream_failed', detail });
});

test('a switch to another protocol than the one that was asked for is a 502', () => {
  const bytes = head('HTTP/1.1 101 Switching', 'Upgrade: h2c');
  expect(readResponseHead(bytes, switching)).toMatchObject({ state: 'bad', status: 502 });
});

test('chunks to a client of HTTP/1.0 are a 502', () => {
  expect(readResponseHead(head(ok, 'Transfer-Encoding: chunked'), { ...get, version: '1.0' })).toMatchObject({
    state: 'bad',
    detail: 'HTTP/1.0 was asked for, and cannot be answered in chunks.',
  });
});

test('interim heads, a final head and its body are read one after the other from the same bytes', () => {
  let bytes = Buffer.concat([
    head('HTTP/1.1 100 Continue'),
    head('HTTP/1.1 103 Hints'),
    head(ok, 'Content-Length: 2'),
    Buffer.from('okHTTP/1.1 2'),
  ]);
  const kinds: string[] = [];
  for (let at = 0; at < 3; at++) {
    const read = readResponseHead(bytes, get);
    if (read.state !== 'head') throw new Error(read.state);
    kinds.push(`${read.kind} ${read.status}`);
    const { pass, rest } = createBodyFramer(read.framing).push(bytes.subarray(read.headBytes));
    kinds.push(Buffer.concat(pass).toString());
    bytes = Buffer.from(rest);
  }
  expect(kinds).toEqual(['interim 100', '', 'interim 103', '', 'final 200', 'ok']);
  expect(readResponseHead(bytes, get)).toEqual({ state: 'more' });
});

const piece = fc.constantFrom(
  ok,
  'HTTP/1.0 304 x',
  'HTTP/1.1 ',
  '\r\n',
  '\r\n',
  '\r\n\r\n',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'X: y',
  '\0',
  '\n',
  ':',
);
const anyBytes = fc
  .tuple(fc.constantFrom(`${ok}\r\n`, 'HTTP/1.', ''), fc.array(piece, { maxLength: 20 }))
  .map(([first, rest]) => Buffer.from(first + rest.join(''), 'latin1'));

test('wherever the bytes are cut, the answer is the same, and `more` ends at the bound', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const whole = readResponseHead(bytes, get);
      let first = readResponseHead(bytes.subarray(0, 0), get);
      for (let end = 1; end <= bytes.length && first.state === 'more'; end++)
        first = readResponseHead(bytes.subarray(0, end), get, end - 1);
      expect(first).toEqual(whole);
      expect(readResponseHead(Buffer.concat([bytes, Buffer.alloc(mostResponseHeadBytes, 0x61)]), get).state).not.toBe('more');
    }),
    { numRuns: 1000 },
  );
});
