import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProxyHeader } from '../../../sandbox-engine/egress/read-proxy-header.ts';

const signature = '0d0a0d0a000d0a515549540a';
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const tcp4 = hex(`${signature} 21 11 000c c6120102 c6120102 d431 01bb`);
const tcp6 = hex(`${signature} 21 21 0024 ${'00'.repeat(16)} 26064700470000000000000000001111 d431 20fb`);
const mapped = hex(`${signature} 21 21 0024 ${'00'.repeat(16)} 00000000000000000000ffff7f000001 d431 0050`);
const withTlv = hex(`${signature} 21 11 0013 01020304 c6120102 d431 01bb 04 0004 00000000`);

test.each([
  ['TCP over IPv4', tcp4, { ip: '198.18.1.2', port: 443 }, 28],
  ['TCP over IPv6', tcp6, { ip: '2606:4700:4700::1111', port: 8443 }, 52],
  ['IPv4 inside IPv6', mapped, { ip: '127.0.0.1', port: 80 }, 52],
  ['additions after the addresses, which are skipped', withTlv, { ip: '198.18.1.2', port: 443 }, 35],
])('%s', (_, bytes, destination, headerBytes) => {
  expect(readProxyHeader(bytes)).toEqual({ state: 'header', destination, headerBytes });
  expect(readProxyHeader(Buffer.concat([bytes, Buffer.from('GET / HTTP/1.1')]))).toEqual({ state: 'header', destination, headerBytes });
  for (let end = 0; end < bytes.length; end++) expect(readProxyHeader(bytes.subarray(0, end))).toEqual({ state: 'more' });
});

test('a second header is left to the sandbox as its bytes', () => {
  expect(readProxyHeader(Buffer.concat([tcp4, tcp6]))).toEqual({
    state: 'header',
    destination: { ip: '198.18.1.2', port: 443 },
    headerBytes: 28,
  });
});

test.each([
  ['version 1', Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 443\r\n'), 'The connection does not begin with a PROXY v2 header.'],
  ['no header', Buffer.from('GET / HTTP/1.1\r\n'), 'The connection does not begin with a PROXY v2 header.'],
  ['a false last byte of the signature', hex('0d0a0d0a000d0a515549540b'), 'The connection does not begin with a PROXY v2 header.'],
  ['the command LOCAL', hex(`${signature} 20`), 'The PROXY header is not version 2 with the command PROXY.'],
  ['version 3', hex(`${signature} 31 11 000c`), 'The PROXY header is not version 2 with the command PROXY.'],
  ['UDP', hex(`${signature} 21 12`), 'The PROXY header is not about TCP.'],
  ['a unix socket', hex(`${signature} 21 31 00d8`), 'The PROXY header is not about TCP.'],
  ['an unspecified family', hex(`${signature} 21 00 0000`), 'The PROXY header is not about TCP.'],
  ['too short for IPv4', hex(`${signature} 21 11 000b`), 'The PROXY header has a wrong length.'],
  ['too short for IPv6', hex(`${signature} 21 21 0023`), 'The PROXY header has a wrong length.'],
  ['64 KiB of additions', hex(`${signature} 21 11 ffff`), 'The PROXY header has a wrong length.'],
  ['port 0', hex(`${signature} 21 11 000c c6120102 c6120102 d431 0000`), 'The PROXY header names port 0.'],
])('bad: %s', (_, bytes, detail) => {
  expect(readProxyHeader(bytes)).toEqual({ state: 'bad', detail });
});

test('any bytes get an answer, never beyond 528 bytes, and the same however they are cut', () => {
  const start = fc.constantFrom(tcp4.subarray(0, 12), tcp4.subarray(0, 14), tcp6.subarray(0, 14), Buffer.alloc(0));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 600 }), (begin, rest) => {
      const bytes = Buffer.concat([begin, rest]);
      const whole = readProxyHeader(bytes);
      if (bytes.length >= 528) expect(whole.state).not.toBe('more');
      let first = readProxyHeader(bytes.subarray(0, 0));
      for (let end = 1; end <= bytes.length && first.state === 'more'; end++) first = readProxyHeader(bytes.subarray(0, end));
      expect(first).toEqual(whole);
    }),
    { numRuns: 1000 },
  );
});
