import { expect, test } from 'vitest';
import { mostHelloBytes, sniffClientHello } from '../../../sandbox-engine/egress/sniff-tls.ts';
import { chromiumHello } from './chromium-hello.ts';
import { extension, hello, helloBody, inRecordsOf, message, nameEntry, realHello, record, serverName, vector } from './client-hello.ts';

const allowed = serverName(nameEntry('allowed.test'));
const _bad = (detail: string) => ({ state: 'bad', reason: 'malformed_client_hello', detail });
const tooLong = { state: 'bad', reason: 'limit_exceeded', detail: 'The ClientHello is longer than 16384 bytes.' };
const named = (sni: string | null, ech = false) => ({ state: 'hello', sni, ech });
const grease = (value: number) => extension(value, Buffer.alloc(value === 0x0a0a ? 0 : 1));
const keyShare = extension(51, vector(2, Buffer.concat([Buffer.from('11ec', 'hex'), vector(2, Buffer.alloc(1216, 9))])));

/** The same hello without one extension, with every length around it mended. */
const without = (type: number, bytes: Buffer): Buffer => {
  const body = bytes.subarray(9);
  let at = 34;
  at += 1 + body.readUInt8(at);
  at += 2 + body.readUInt16BE(at);
  at += 1 + body.readUInt8(at);
  const kept: Buffer[] = [];
  for (let from = at + 2; from < body.length; from += 4 + body.readUInt16BE(from + 2)) {
    if (body.readUInt16BE(from) !== type) kept.push(body.subarray(from, from + 4 + body.readUInt16BE(from + 2)));
  }
  return record(message(Buffer.concat([body.subarray(0, at), vector(2, Buffer.concat(kept))])));
};

test.each([
  ['the default', {}],
  ['only TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ['only TLS 1.3 with ALPN', { minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1', 'something-new'] }],
] as const)('a real hello of node:tls, %s, has its name', async (_, options) => {
  const bytes = await realHello({ servername: 'Allowed.Test', ...options } as never);
  expect(sniffClientHello(bytes)).toEqual(named('allowed.test'));
});

test('a real hello of node:tls without a name has none', async () => {
  expect(sniffClientHello(await realHello({ servername: '' }))).toEqual(named(null));
});

test("E13: a browser's hello with GREASE and a post-quantum key share has its name; its GREASE for ECH counts as ECH", () => {
  expect(sniffClientHello(chromiumHello())).toEqual(named('allowed.test', true));
  expect(sniffClientHello(without(0xfe0d, chromiumHello()))).toEqual(named('allowed.test'));
});

test.each([
  ['E08', 'a name in capitals with a final dot', hello({ extensions: [serverName(nameEntry('ALLOWED.test.'))] }), named('allowed.test')],
  ['E13', 'GREASE around it', hello({ extensions: [grease(0x0a0a), allowed, grease(0xfafa)] }), named('allowed.test')],
  ['E13', 'a post-quantum key share before it', hello({ extensions: [keyShare, allowed] }), named('allowed.test')],
  ['E13', 'GREASE ciphers', hello({ ciphers: Buffer.from('0a0a1301', 'hex'), extensions: [allowed] }), named('allowed.test')],
  [
    'E10',
    'a ticket, and early data behind it',
    Buffer.concat([hello({ extensions: [allowed, extension(35, Buffer.alloc(180))] }), record(Buffer.alloc(99), { type: 0x17 })]),
    named('allowed.test'),
  ],
  ['E02', 'no server_name', hello({ extensions: [keyShare] }), named(null)],
  ['E07', 'TLS 1.0 without extensions', hello({ version: 0x0301, extensions: null }), named(null)],
  ['E07', 'an empty list of extensions', hello({ extensions: [] }), named(null)],
  ['E07', 'an SSLv2 hello', Buffer.from('802e0103010015000000100100800300800700c0', 'hex'), named(null)],
  ['E07', 'an SSLv2 hello of SSLv2', Buffer.from('801c0100020003', 'hex'), named(null)],
  [
    'E03',
    'ECH with an allowed outer name',
    hello({ extensions: [allowed, extension(0xfe0d, Buffer.alloc(8))] }),
    named('allowed.test', true),
  ],
  ['E03', 'ECH without a name', hello({ extensions: [extension(0xfe0d, Buffer.alloc(0))] }), named(null, true)],
  ['E03', 'ESNI', hello({ extensions: [extension(0xffce, Buffer.alloc(8)), allowed] }), named('allowed.test', true)],
  ['E06', 'a hello that says it has 40 KiB', record(message(Buffer.alloc(40_000)).subarray(0, 100)), tooLong],
  ['E06', 'a hello that says it has 16 MiB', Buffer.from('160301000401ffffff', 'hex'), tooLong],
  [
    'E06',
    'a hello of 16 KiB in records of one byte',
    inRecordsOf(1, message(helloBody({ extensions: [allowed, extension(21, Buffer.alloc(16_000))] }))),
    tooLong,
  ],
  ['', 'nothing yet', Buffer.alloc(0), { state: 'more' }],
  ['E11', 'HTTP', Buffer.from('GET / HTTP/1.1\r\n'), { state: 'not_tls' }],
  ['', 'SSH', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), { state: 'not_tls' }],
  ['', 'a SYN byte that is not TLS', Buffer.from('1605', 'hex'), { state: 'not_tls' }],
  ['', 'bytes above 0x80 that are no hello', Buffer.from('800004', 'hex'), { state: 'not_tls' }],
  ['', 'an SSLv2 hello of an unknown version', Buffer.from('8000010901', 'hex'), { state: 'not_tls' }],
] as [string, string, Buffer, object][])('%s: %s', (_, __, bytes, expected) => {
  expect(sniffClientHello(bytes)).toEqual(expected);
});

test.each([1, 2, 3, 4, 5, 100, 511])('a hello in records of %i bytes has its name', (size) => {
  const bytes = inRecordsOf(size, message(helloBody({ extensions: [keyShare, allowed] })));
  expect(sniffClientHello(bytes)).toEqual(named('allowed.test'));
});

const roomForExtensions = mostHelloBytes - hello({ extensions: [allowed] }).length - 4;

test.each([
  ['of exactly 16 KiB is read', roomForExtensions, named('allowed.test')],
  ['of one byte more is refused', roomForExtensions + 1, tooLong],
] as const)('E06: a hello %s', (_, padding, expected) => {
  expect(sniffClientHello(hello({ extensions: [allowed, extension(21, Buffer.alloc(padding))] }))).toEqual(expected);
});
