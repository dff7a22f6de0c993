import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyFramer } from '../../../sandbox-engine/egress/body-framer.ts';
import type { BodyFraming } from '../../../sandbox-engine/egress/body-framing.ts';
import { readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';
import { cpuMs } from './cpu-time.ts';

const chunked: BodyFraming = { kind: 'chunked' };

/** Everything that passes and remains when the bytes come in these pieces; after the end and after a fault no more is pushed. */
const frame = (framing: BodyFraming, pieces: Buffer[]) => {
  const framer = createBodyFramer(framing);
  let passed = '';
  for (const [at, piece] of pieces.entries()) {
    const { pass, rest, done, bad } = framer.push(piece);
    passed += Buffer.concat(pass).toString('latin1');
    if (bad !== null) return { passed, bad };
    if (done) return { passed, rest: Buffer.concat([rest, ...pieces.slice(at + 1)]).toString('latin1') };
    expect(rest.length).toBe(0);
  }
  return { passed, open: true };
};

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const oneByOne = (text: string): Buffer[] => [...bytes(text)].map((byte) => Buffer.from([byte]));
const frameText = (framing: BodyFraming, text: string) => frame(framing, [bytes(text)]);

test.each([
  ['none', { kind: 'none' }, 'GET /', { passed: '', rest: 'GET /' }],
  ['none, nothing more', { kind: 'none' }, '', { passed: '', rest: '' }],
  ['a length of 0', { kind: 'length', bytes: 0 }, 'GET /', { passed: '', rest: 'GET /' }],
  ['a length', { kind: 'length', bytes: 5 }, 'helloGET /', { passed: 'hello', rest: 'GET /' }],
  ['a length, exactly', { kind: 'length', bytes: 5 }, 'hello', { passed: 'hello', rest: '' }],
  ['a length, unfinished', { kind: 'length', bytes: 5 }, 'hell', { passed: 'hell', open: true }],
  ['with the connection', { kind: 'close' }, 'helloGET /', { passed: 'helloGET /', open: true }],
  ['chunks', chunked, '5\r\nhello\r\n0\r\n\r\nGET /', { passed: '5\r\nhello\r\n0\r\n\r\n', rest: 'GET /' }],
  ['only the last chunk', chunked, '0\r\n\r\n', { passed: '0\r\n\r\n', rest: '' }],
  ['a last chunk of many zeros', chunked, '0000\r\n\r\n', { passed: '0000\r\n\r\n', rest: '' }],
  [
    'sizes in any case',
    chunked,
    'a\r\n0123456789\r\nB\r\n0123456789x\r\n0\r\n\r\n',
    { passed: 'a\r\n0123456789\r\nB\r\n0123456789x\r\n0\r\n\r\n', rest: '' },
  ],
  ['a chunk that looks like the end', chunked, '5\r\n0\r\n\r\n\r\n0\r\n\r\n', { passed: '5\r\n0\r\n\r\n\r\n0\r\n\r\n', rest: '' }],
  ['chunks, unfinished', chunked, '5\r\nhel', { passed: '5\r\nhel', open: true }],
  ['D10: extensions', chunked, '5;a=b;c="d"\r\nhello\r\n0;x\r\n\r\n', { passed: '5\r\nhello\r\n0\r\n\r\n', rest: '' }],
  ['D10: trailers', chunked, '0\r\nHost: evil.test\r\nContent-Length: 5\r\n\r\nhello', { passed: '0\r\n\r\n', rest: 'hello' }],
  ['D10: 16 KiB of extensions', chunked, `1;${'x'.repeat(16_383)}\r\na\r\n0\r\n\r\n`, { passed: '1\r\na\r\n0\r\n\r\n', rest: '' }],
] as [string, BodyFraming, string, object][])('a body that ends by %s', (_, framing, text, expected) => {
  expect(frameText(framing, text)).toEqual(expected);
  expect(frame(framing, text === '' ? [Buffer.alloc(0)] : oneByOne(text))).toEqual(expected);
});

const notHex = 'The size of a chunk is not a plain hexadecimal number.';
const tooLarge = 'The size of a chunk is too large.';
const noLineEnd = 'A line of the body does not end in CR LF.';
const skippedByte = 'An extension or a trailer of the body contains a byte that is not allowed.';
const skippedMuch = 'The extensions and trailers of the body are longer than 16384 bytes.';

test.each([
  ['D11: FFFFFFFFFFFFFFFFF\\r\\n', 'FFFFFFFFFFFFFFFFF\r\n', tooLarge],
  ['D11: 10000000000000\\r\\n', '10000000000000\r\n', tooLarge],
  ['D11: 0x3\\r\\nabc\\r\\n', '0x3\r\nabc\r\n', notHex],
  ['D11: 3 ;\\r\\nabc\\r\\n', '3 ;\r\nabc\r\n', notHex],
  ['D11: 3 \\r\\nabc\\r\\n', '3 \r\nabc\r\n', notHex],
  ['D11:  3\\r\\nabc\\r\\n', ' 3\r\nabc\r\n', notHex],
  ['D11: +3\\r\\nabc\\r\\n', '+3\r\nabc\r\n', notHex],
  ['D11: -3\\r\\nabc\\r\\n', '-3\r\nabc\r\n', notHex],
  ['D11: 3\\nabc\\n', '3\nabc\n', notHex],
  ['D11: \\r\\n', '\r\n', notHex],
  ['D11: ;a\\r\\n', ';a\r\n', notHex],
  ['D11: 3g\\r\\n', '3g\r\n', notHex],
  ['D11: 3\\r\\rabc', '3\r\rabc', noLineEnd],
  ['D11: 3\\r\\nabcd\\r\\n', '3\r\nabcd\r\n', noLineEnd],
  ['D11: 3\\r\\nabc\\n0\\r\\n\\r\\n', '3\r\nabc\n0\r\n\r\n', noLineEnd],
  ['D11: 3\\r\\nabc\\rx', '3\r\nabc\rx', noLineEnd],
  ['D11: 0\\r\\n\\rx', '0\r\n\rx', noLineEnd],
  ['D11: 0\\r\\nA: b\\rx', '0\r\nA: b\rx', noLineEnd],
  ['D11: 3;a\\nabc', '3;a\nabc', skippedByte],
  ['D11: 3;a\\0', '3;a\0', skippedByte],
  ['D11: 0\\r\\n\\n', '0\r\n\n', skippedByte],
  ['D11: 0\\r\\nA: b\\n\\r\\n', '0\r\nA: b\n\r\n', skippedByte],
  ['D10: a long extension', `1;${'x'.repeat(1024 * 1024)}\r\na\r\n0\r\n\r\n`, skippedMuch],
  ['D10: many extensions', '1;xxxx\r\na\r\n'.repeat(4000), skippedMuch],
  ['D10: a long trailer', `0\r\nX: ${'x'.repeat(1024 * 1024)}\r\n\r\n`, skippedMuch],
])('%s: chunks that go wrong', (_, text, bad) => {
  expect(frameText(chunked, text)).toEqual({ passed: '', bad });
  expect(frame(chunked, oneByOne(text.slice(0, 60_000)))).toMatchObject({ bad });
});

test('after a fault nothing passes any more', () => {
  const framer = createBodyFramer(chunked);
  expect(framer.push(bytes('x')).bad).toBe(notHex);
  expect(framer.push(bytes('0\r\n\r\n'))).toEqual({ pass: [], rest: Buffer.alloc(0), done: false, bad: notHex });
});

test('D08: what follows a body in the same packet is read as the next request, with its own Host', () => {
  const first = 'POST / HTTP/1.1\r\nHost: allowed.test\r\nTransfer-Encoding: chunked\r\n\r\n';
  const packet = bytes(`${first}1\r\nx\r\n0\r\nHost: allowed.test\r\n\r\nGET / HTTP/1.1\r\nHost: blocked.test\r\n\r\n`);
  const head = readHttpHead(packet);
  if (head.state !== 'head') throw new Error(head.state);
  const { rest } = createBodyFramer(head.framing).push(packet.subarray(head.headBytes));
  expect(readHttpHead(rest)).toMatchObject({ state: 'head', host: { host: 'blocked.test' } });
});

test('a body of 2 GiB in chunks of 1 MiB passes as views of what came', () => {
  const framer = createBodyFramer(chunked);
  const chunk = Buffer.concat([bytes('100000\r\n'), Buffer.alloc(1024 * 1024), bytes('\r\n')]);
  const began = cpuMs();
  for (let count = 0; count < 2048; count++) {
    const { pass } = framer.push(chunk);
    expect(pass.length === 1 && pass[0] === chunk).toBe(true);
  }
  expect(framer.push(bytes('0\r\n\r\n')).done).toBe(true);
  expect(cpuMs() - began).toBeLessThan(2000);
});

test.each([
  ['of a mebibyte', `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`, 3],
  ['of one byte', '1\r\nx\r\n'.repeat(1000), 3000],
  ['of one byte with a leading zero', '01\r\nx\r\n'.repeat(1000), 3000],
  ['of a length', 'x'.repeat(1000), 0],
])('what a body costs is told: chunks %s', (what, text, steps) => {
  const framer = createBodyFramer(what === 'of a length' ? { kind: 'length', bytes: 1000 } : chunked);
  expect(Buffer.concat(framer.push(bytes(text)).pass).toString('latin1')).toBe(text);
  expect(framer.steps()).toBe(steps);
});

const extension = fc.constantFrom('', '', ';a', ';a=b', ';q="x y"');
const chunk = fc.tuple(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), extension);
const trailers = fc.array(fc.constantFrom('Host: evil.test\r\n', 'X: y\r\n', 'odd\r\n'), { maxLength: 3 });
const cutUp = (text: string, cuts: number[]): Buffer[] => {
  const edges = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return edges.slice(1).map((edge, at) => bytes(text.slice(edges[at], edge)));
};

test('however the chunks are cut into pieces, the body passes without extensions and trailers, and what follows is left', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), trailers, fc.array(fc.nat(), { maxLength: 12 }), (chunks, after, cuts) => {
      const write = (withExtras: boolean) =>
        `${chunks.map(([data, extra]) => `${data.length.toString(16)}${withExtras ? extra : ''}\r\n${data}\r\n`).join('')}0\r\n${withExtras ? after.join('') : ''}\r\n`;
      expect(frame(chunked, cutUp(`${write(true)}GET /`, cuts))).toEqual({ passed: write(false), rest: 'GET /' });
    }),
    { numRuns: 1000 },
  );
});

test('any bytes end in the same way however they are cut, and never in an exception', () => {
  const piece = fc.constantFrom('0', '1', '5', 'a', 'g', ';', ' ', '\r', '\n', '\r\n', '\r\n', '\0', '0\r\n\r\n', '3\r\nabc\r\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, cuts) => {
      const text = pieces.join('');
      const { passed, ...whole } = frameText(chunked, text);
      const { passed: passedInPieces, ...inPieces } = frame(chunked, cutUp(text, cuts));
      expect(inPieces).toEqual(whole);
      if (!('bad' in whole)) expect(passedInPieces).toBe(passed);
    }),
    { numRuns: 2000 },
  );
});
