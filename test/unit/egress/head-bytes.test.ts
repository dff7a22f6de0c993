import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostHeadBytes, readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';
import { readTarget } from '../../../sandbox-engine/egress/read-target.ts';
import { writeRequestHead } from '../../../sandbox-engine/egress/write-head.ts';
import { cpuMs } from './cpu-time.ts';

const pieces = fc.constantFrom(
  ...[
    'GET',
    'POST',
    'CONNECT',
    'get',
    ' ',
    ' ',
    '/',
    '/a?b',
    '*',
    'http://',
    'plain.test',
    'evil.test',
    '@',
    '#',
    '\\',
    ':',
    ':80',
    ':443',
  ],
  ...[
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/2.0',
    '\r\n',
    '\r\n',
    '\r\n',
    '\r',
    '\n',
    '\t',
    '\0',
    '\x7f',
    '\u00ff',
    'Host: plain.test',
    'Host',
    ': ',
  ],
  ...['Content-Length: 5', 'Transfer-Encoding: chunked', 'Connection: close, x-a', 'Upgrade: websocket', 'X-A: b', ',', 'a', '\r\n\r\n'],
);
const soup = fc.array(pieces, { maxLength: 30 }).map((each) => each.join(''));
const line = fc.constantFrom('GET / HTTP/1.1', 'POST /x HTTP/1.1', 'GET http://plain.test/y HTTP/1.1', 'CONNECT plain.test:443 HTTP/1.1');
const headers = fc.array(
  fc.constantFrom(
    ...[
      'Host: plain.test',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Connection: keep-alive, X-A',
      'X-A: 1',
      'Expect: 100-continue',
    ],
    ...[
      'Upgrade: websocket',
      'Connection: upgrade',
      'Connection: close',
      'Proxy-Authorization: Basic c2VjcmV0',
      'X-B:  two words ',
      'Max-Forwards: 3',
      'TE: trailers',
    ],
  ),
  { maxLength: 8 },
);
const proper = fc.tuple(line, headers).map(([first, rest]) => `${[first, 'Host: plain.test', ...rest].join('\r\n')}\r\n\r\n`);
const mutated = fc.tuple(proper, fc.array(fc.tuple(fc.nat(200), pieces), { maxLength: 3 })).map(([text, changes]) => {
  let changed = text;
  for (const [at, piece] of changes) changed = changed.slice(0, at) + piece + changed.slice(at + 1);
  return changed;
});
const unfinished = fc.tuple(proper, fc.nat(150)).map(([text, end]) => text.slice(0, end));
const anyBytes = fc
  .oneof(soup, mutated, proper, unfinished, fc.string({ unit: 'binary', maxLength: 60 }))
  .map((text) => Buffer.from(text, 'latin1'));

/** The first answer that is not `more` when the bytes come cut at these places. */
const answerInPieces = (bytes: Buffer, cuts: number[]) => {
  let seen = 0;
  for (const cut of [...cuts, bytes.length]) {
    const answer = readHttpHead(bytes.subarray(0, cut), seen);
    if (answer.state !== 'more') return answer;
    seen = Math.min(cut, bytes.length);
  }
  return readHttpHead(bytes, seen);
};

test('wherever the bytes are cut, the answer is the same', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(250), { maxLength: 12 }), (bytes, cuts) => {
      const whole = readHttpHead(bytes);
      expect(
        answerInPieces(
          bytes,
          cuts.sort((a, b) => a - b),
        ),
      ).toEqual(whole);
      expect(answerInPieces(bytes, [...bytes.keys()])).toEqual(whole);
    }),
    { numRuns: 800 },
  );
});

test('a head that is followed by anything is read alike', () => {
  fc.assert(
    fc.property(anyBytes, anyBytes, (bytes, rest) => {
      const first = readHttpHead(bytes);
      if (first.state !== 'more') expect(readHttpHead(Buffer.concat([bytes, rest]))).toEqual(first);
    }),
    { numRuns: 500 },
  );
});

test('`more` always ends at the bound, whatever follows', () => {
  const filler = fc.constantFrom('a', '\r\n', 'a: b\r\n', '\u00ff', '\n').map((text) => Buffer.from(text.repeat(mostHeadBytes), 'latin1'));
  fc.assert(
    fc.property(anyBytes, filler, (bytes, rest) => {
      expect(readHttpHead(Buffer.concat([bytes, rest]).subarray(0, mostHeadBytes)).state).not.toBe('more');
    }),
    { numRuns: 300 },
  );
});

test('16 KiB that come one byte at a time are searched once, not once a byte', () => {
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: plain.test\r\nX: ${'a'.repeat(mostHeadBytes)}`);
  const began = cpuMs();
  for (let end = 1; end < mostHeadBytes; end++) expect(readHttpHead(bytes.subarray(0, end), end - 1).state).toBe('more');
  expect(cpuMs() - began).toBeLessThan(5000);
});

test('what is written anew is read again as the same request, with one authority, one framing and no secret', () => {
  let written = 0;
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const head = readHttpHead(bytes);
      if (head.state !== 'head') return;
      const target = readTarget(head, head.target.startsWith('/') ? { mode: 'transparent', port: 80 } : { mode: 'explicit' });
      if (!target.ok || target.form === 'connect') return;
      written += 1;
      const { method, framing, upgrade, version, keepAlive } = head;
      const again = readHttpHead(writeRequestHead(head, { host: target.host, path: target.path, keepAlive }));
      expect(again).toMatchObject({ state: 'head', method, framing, upgrade, version, target: target.path });
      if (again.state !== 'head') return;
      // Who asks for another protocol says nothing of what comes after this request.
      if (upgrade === null) expect(again.keepAlive).toBe(keepAlive);
      expect(again.host?.host).toBe(target.host);
      expect(again.names.filter((name) => name.startsWith('proxy-') || name === 'te' || name === 'max-forwards')).toEqual([]);
      expect(new Set(again.names.filter((name) => name !== 'x-a' && name !== 'x-b' && name !== 'expect')).size).toBe(
        again.names.filter((name) => name !== 'x-a' && name !== 'x-b' && name !== 'expect').length,
      );
    }),
    { numRuns: 2000 },
  );
  expect(written).toBeGreaterThan(100);
});
