// The mark that a carrier writes before everything else: only exactly one form of it is one, and only the right token means a way.
// Source: HAProxy, "The PROXY protocol", 2.2.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { carriedWay, readCarrierMark } from '../../../sandbox-engine/egress/carrier-mark.ts';

const token = 'ab'.repeat(32);

/** As HAProxy 2.6 writes it for a connection without addresses. */
const mark = (id: string, change: (bytes: Buffer) => void = () => undefined): Buffer => {
  const bytes = Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n\x20\0\0\0\x05\0\0', 'latin1'), Buffer.from(id, 'latin1')]);
  bytes.writeUInt16BE(id.length + 3, 14);
  bytes.writeUInt16BE(id.length, 17);
  change(bytes);
  return bytes;
};

test('a whole mark is read, and what follows it stays; a part of one asks for more', () => {
  const whole = mark(`${token}-proxy`);
  expect(readCarrierMark(Buffer.concat([whole, Buffer.from('rest')]))).toEqual({
    state: 'mark',
    id: `${token}-proxy`,
    bytes: whole.length,
  });
  for (let length = 0; length < whole.length; length += 1) expect(readCarrierMark(whole.subarray(0, length))).toEqual({ state: 'more' });
});

test.each([
  ['another signature', mark(token, (bytes) => bytes.writeUInt8(0x0a, 0))],
  ['a header with addresses', Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\x05\x06\x07\x08\0\x50\x1f\x90', 'latin1')],
  ['another record', mark(token, (bytes) => bytes.writeUInt8(0x04, 16))],
  ['a record that is too short', mark(token, (bytes) => bytes.writeUInt16BE(token.length - 1, 17))],
  ['a record that is too long', mark(token, (bytes) => bytes.writeUInt16BE(token.length + 1, 17))],
  ['no record', mark('', (bytes) => bytes.writeUInt16BE(0, 14))],
  ['more than a token', mark('x'.repeat(126))],
  ['a request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('%s is no mark', (_what, bytes) => {
  expect(readCarrierMark(bytes)).toEqual({ state: 'bad' });
});

test('whatever bytes come, it says something and never reads beyond them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 100 }), (random, keep) => {
      const read = readCarrierMark(Buffer.concat([mark(token).subarray(0, keep), Buffer.from(random)]));
      if (read.state === 'mark') expect(read.bytes).toBeLessThanOrEqual(keep + random.length);
    }),
  );
});

test.each([
  [`${token}-proxy`, 'proxy'],
  [`${token}-names`, 'names'],
  [token, null],
  [`${token}-`, null],
  [`${token}-other`, null],
  [`${token}-proxy\0`, null],
  [`${token.slice(1)}-proxy`, null],
  ['-proxy', null],
  ['', null],
])('%j means %s', (id, way) => {
  expect(carriedWay(id, token)).toBe(way);
});
