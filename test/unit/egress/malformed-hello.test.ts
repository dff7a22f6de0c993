import { expect, test } from 'vitest';
import { sniffClientHello } from '../../../sandbox-engine/egress/sniff-tls.ts';
import { extension, hello, helloBody, message, nameEntry, record, serverName, vector } from './client-hello.ts';

const allowed = serverName(nameEntry('allowed.test'));
const bad = (detail: string) => ({ state: 'bad', reason: 'malformed_client_hello', detail });
const _tooLong = { state: 'bad', reason: 'limit_exceeded', detail: 'The ClientHello is longer than 16384 bytes.' };
const _named = (sni: string | null, ech = false) => ({ state: 'hello', sni, ech });
const _grease = (value: number) => extension(value, Buffer.alloc(value === 0x0a0a ? 0 : 1));
const keyShare = extension(51, vector(2, Buffer.concat([Buffer.from('11ec', 'hex'), vector(2, Buffer.alloc(1216, 9))])));

test.each([
  [
    'E04',
    'two names',
    hello({ extensions: [serverName(nameEntry('allowed.test'), nameEntry('evil.test'))] }),
    bad('The server_name of the ClientHello holds more than one name.'),
  ],
  [
    'E04',
    'a second name of another type',
    hello({ extensions: [serverName(nameEntry('allowed.test'), nameEntry('x', 1))] }),
    bad('The server_name of the ClientHello holds more than one name.'),
  ],
  [
    'E04',
    'name type 1',
    hello({ extensions: [serverName(nameEntry('allowed.test', 1))] }),
    bad('The server_name of the ClientHello is not a host name.'),
  ],
  [
    'E04',
    'an empty name',
    hello({ extensions: [serverName(nameEntry(''))] }),
    bad('The server_name of the ClientHello is no host name. The host is empty.'),
  ],
  [
    'E04',
    'an empty list',
    hello({ extensions: [extension(0, vector(2, Buffer.alloc(0)))] }),
    bad('The server_name of the ClientHello has a wrong length.'),
  ],
  [
    'E04',
    'an empty server_name',
    hello({ extensions: [extension(0, Buffer.alloc(0))] }),
    bad('The server_name of the ClientHello has a wrong length.'),
  ],
  [
    'E04',
    'a byte after the list',
    hello({ extensions: [extension(0, Buffer.concat([vector(2, nameEntry('allowed.test')), Buffer.alloc(1)]))] }),
    bad('The server_name of the ClientHello has a wrong length.'),
  ],
  [
    'E04',
    'a name longer than its list',
    hello({ extensions: [extension(0, Buffer.from('0006000009616263', 'hex'))] }),
    bad('The server_name of the ClientHello has a wrong length.'),
  ],
  [
    'E04',
    'server_name twice',
    hello({ extensions: [allowed, serverName(nameEntry('evil.test'))] }),
    bad('The ClientHello has an extension twice.'),
  ],
  ['E04', 'server_name twice, the same', hello({ extensions: [allowed, allowed] }), bad('The ClientHello has an extension twice.')],
  ['E04', 'another extension twice', hello({ extensions: [keyShare, allowed, keyShare] }), bad('The ClientHello has an extension twice.')],
  [
    'A15',
    'a NUL in the name',
    hello({ extensions: [serverName(nameEntry('evil.test\0.allowed.test'))] }),
    bad('The server_name of the ClientHello is no host name. The host contains a character that is not allowed: U+0000.'),
  ],
  [
    'A12',
    'UTF-8 in the name',
    hello({ extensions: [serverName(nameEntry('\u{ff41}llowed.test'))] }),
    bad('The server_name of the ClientHello is no host name. The host contains a character that is not allowed: U+00EF.'),
  ],
  [
    'A10',
    'a name of 16,000 bytes',
    hello({ extensions: [serverName(nameEntry('a.'.repeat(8000)))] }),
    bad('The server_name of the ClientHello is no host name. The host is longer than 253 characters.'),
  ],
  [
    'B04',
    'an address as the name',
    hello({ extensions: [serverName(nameEntry('127.0.0.1'))] }),
    bad('The server_name of the ClientHello is an IP address.'),
  ],
  [
    'B03',
    'an odd address as the name',
    hello({ extensions: [serverName(nameEntry('2130706433'))] }),
    bad('The server_name of the ClientHello is no host name. The host looks like an IP address in a spelling that is not accepted.'),
  ],
  [
    '',
    'another message first',
    record(message(helloBody({ extensions: [allowed] }), 2)),
    bad('The first TLS message is not a ClientHello.'),
  ],
  [
    '',
    'something behind it in the record',
    record(Buffer.concat([message(helloBody({ extensions: [allowed] })), Buffer.alloc(1)])),
    bad('Something follows the ClientHello in the same TLS record.'),
  ],
  [
    '',
    'another hello behind it in the record',
    record(
      Buffer.concat([
        message(helloBody({ extensions: [allowed] })),
        message(helloBody({ extensions: [serverName(nameEntry('evil.test'))] })),
      ]),
    ),
    bad('Something follows the ClientHello in the same TLS record.'),
  ],
  [
    '',
    'bytes after the extensions',
    hello({ extensions: [allowed], after: Buffer.alloc(1) }),
    bad('The extensions of the ClientHello have a wrong length.'),
  ],
  [
    '',
    'an extension that ends too late',
    hello({ extensions: [allowed, Buffer.from('00170004', 'hex')] }),
    bad('An extension of the ClientHello has a wrong length.'),
  ],
  [
    '',
    'half an extension type',
    hello({ extensions: [allowed, Buffer.alloc(1)] }),
    bad('An extension of the ClientHello has a wrong length.'),
  ],
  [
    '',
    'a session id of 33 bytes',
    hello({ session: Buffer.alloc(33), extensions: [allowed] }),
    bad('A list of the ClientHello has a wrong length.'),
  ],
  ['', 'no ciphers', hello({ ciphers: Buffer.alloc(0), extensions: [allowed] }), bad('A list of the ClientHello has a wrong length.')],
  ['', 'half a cipher', hello({ ciphers: Buffer.alloc(3), extensions: [allowed] }), bad('A list of the ClientHello has a wrong length.')],
  [
    '',
    'no compression',
    hello({ compression: Buffer.alloc(0), extensions: [allowed] }),
    bad('A list of the ClientHello has a wrong length.'),
  ],
  ['', 'an unknown version', hello({ version: 0x0403, extensions: [allowed] }), bad('The ClientHello has an unknown version.')],
  ['', 'a hello that ends in its random', record(message(Buffer.alloc(20, 3))), bad('The ClientHello ends too early.')],
  [
    '',
    'an empty record',
    Buffer.concat([record(Buffer.alloc(0)), hello({ extensions: [allowed] })]),
    bad('A TLS record has a wrong length.'),
  ],
  ['', 'a record of more than 16 KiB', Buffer.from('1603014001', 'hex'), bad('A TLS record has a wrong length.')],
  [
    '',
    'an alert in the middle',
    Buffer.concat([record(message(helloBody({ extensions: [allowed] })).subarray(0, 40)), record(Buffer.alloc(2), { type: 0x15 })]),
    bad('The ClientHello is interrupted by another TLS record.'),
  ],
  [
    '',
    'a second record of another protocol',
    Buffer.concat([record(message(helloBody()).subarray(0, 40)), Buffer.from('1604', 'hex')]),
    bad('A TLS record has an unknown version.'),
  ],
] as [string, string, Buffer, object][])('%s: %s', (_, __, bytes, expected) => {
  expect(sniffClientHello(bytes)).toEqual(expected);
});
