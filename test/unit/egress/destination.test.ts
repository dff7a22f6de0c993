import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAuthority, readHost, readPort } from '../../../sandbox-engine/egress/destination.ts';

const label63 = 'a'.repeat(63);
const name253 = `${`${label63}.`.repeat(3)}${'a'.repeat(61)}`;

test.each([
  ['A01', 'allowed.test', 'allowed.test'],
  ['A02', 'a.b.allowed.test', 'a.b.allowed.test'],
  ['A05', 'allowed.test.', 'allowed.test'],
  ['A07', 'ALLOWED.TeSt', 'allowed.test'],
  ['A08', 'a-b.allowed.test', 'a-b.allowed.test'],
  ['A10', `${label63}.test`, `${label63}.test`],
  ['A10', name253, name253],
  ['A10', `${name253}.`, name253],
  ['A11', 'a_b.allowed.test', 'a_b.allowed.test'],
  ['A11', '_http._tcp.local', '_http._tcp.local'],
  ['A17', 'XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
  ['A18', 'xn--a.allowed.test', 'xn--a.allowed.test'],
  ['A22', 'LOCALHOST.', 'localhost'],
  ['A23', 'registry', 'registry'],
  ['numbers elsewhere', '1.2.3.4.example', '1.2.3.4.example'],
  ['a number with letters', '1.2.3.4a', '1.2.3.4a'],
])('%s: "%s" is the name %s', (_, text, host) => {
  expect(readHost(text)).toEqual({ ok: true, kind: 'name', host });
  expect(readHost(Buffer.from(text, 'latin1'))).toEqual({ ok: true, kind: 'name', host });
});

test.each([
  ['20.0.0.9', 'ipv4', '20.0.0.9'],
  ['0.0.0.0', 'ipv4', '0.0.0.0'],
  ['255.255.255.255', 'ipv4', '255.255.255.255'],
  ['[2606:4700:4700:0:0::1111]', 'ipv6', '[2606:4700:4700::1111]'],
  ['[2001:DB8::A]', 'ipv6', '[2001:db8::a]'],
  ['[::]', 'ipv6', '[::]'],
  ['[::ffff:127.0.0.1]', 'ipv4', '127.0.0.1'],
  ['[::ffff:7f00:1]', 'ipv4', '127.0.0.1'],
  ['[::127.0.0.1]', 'ipv6', '[::7f00:1]'],
  ['[0000:0000:0000:0000:0000:ffff:192.168.100.100]', 'ipv4', '192.168.100.100'],
])('"%s" is the %s address %s', (text, kind, host) => {
  expect(readHost(text)).toEqual({ ok: true, kind, host });
});

const looksLikeIp = 'The host looks like an IP address in a spelling that is not accepted.';
const character = (code: string) => `The host contains a character that is not allowed: U+${code}.`;

test.each(
  [
    ['A08', '.allowed.test', 'Label 1 of the host is empty.'],
    ['A08', '-a.allowed.test', 'Label 1 of the host begins or ends with a hyphen.'],
    ['A08', 'a-.allowed.test', 'Label 1 of the host begins or ends with a hyphen.'],
    ['A09', 'a..allowed.test', 'Label 2 of the host is empty.'],
    ['A10', `${label63}a.test`, 'Label 1 of the host is longer than 63 characters.'],
    ['A10', `${name253}a`, 'The host is longer than 253 characters.'],
    ['A10', 'a.'.repeat(30_000), 'The host is longer than 253 characters.'],
    ['A12', '\u{ff41}llowed.test', character('FF41')],
    ['A13', 'allowed\u3002test', character('3002')],
    ['A15', 'evil.test\0.allowed.test', character('0000')],
    ['A18', 'xn--.allowed.test', 'Label 1 of the host begins or ends with a hyphen.'],
    ['A19', 'all\u00adowed.test', character('00AD')],
    ['A19', 'all\u200bowed.test', character('200B')],
    ['A19', '\ufeffallowed.test', character('FEFF')],
    ['A20', 'u@allowed.test', character('0040')],
    ['A26', '[evil.test]', 'The host in brackets is not an IPv6 address.'],
    ['A27', 'allowed.test evil.test', character('0020')],
    ['A27', 'allowed.test\tx', character('0009')],
    ['A27', 'allowed.test,evil.test', character('002C')],
    ['B03', '2130706433', looksLikeIp],
    ['B03', '0x7f000001', looksLikeIp],
    ['B03', '0177.0.0.1', looksLikeIp],
    ['B03', '127.1', looksLikeIp],
    ['B03', '0', looksLikeIp],
    ['B03', '1.2.3', looksLikeIp],
    ['B03', '4294967296', looksLikeIp],
    ['B03', '0X7F.1', looksLikeIp],
    ['B03', 'a.0x', looksLikeIp],
    ['B03', '1.2.3.256', looksLikeIp],
    ['B03', '1.2.3.04', looksLikeIp],
    ['B03', '1.2.3.4.', looksLikeIp],
    ['B03', 'a.b.1', looksLikeIp],
    ['B09', '[fe80::1%lo]', 'The host in brackets is not an IPv6 address.'],
    ['A25', '[::ffff:1.2.3.4%25x.allowed.test]', 'The host in brackets is not an IPv6 address.'],
    ['a v4 address in brackets', '[127.0.0.1]', 'The host in brackets is not an IPv6 address.'],
    ['a long address', `[${'0'.repeat(100_000)}::1]`, 'The host in brackets is not an IPv6 address.'],
    ['no closing bracket', '[::1', 'A host in brackets does not end with one.'],
    ['no brackets', '2001:db8::1', character('003A')],
    ['nothing', '', 'The host is empty.'],
    ['a lone dot', '.', 'Label 1 of the host is empty.'],
    ['two final dots', 'allowed.test..', 'Label 3 of the host is empty.'],
    ['the Kelvin sign, whose lower case is k', 'to\u212aen.test', character('212A')],
    ['a percent escape', 'allowed%2etest', character('0025')],
    ['a wildcard', '*.allowed.test', character('002A')],
  ].map(([id, text, detail]) => [`${id} ${JSON.stringify(text?.slice(0, 60))}`, text, detail] as [string, string, string]),
)('%s is malformed', (_, text, detail) => {
  expect(readHost(text)).toEqual({ ok: false, reason: 'malformed_request', detail });
});

test('raw UTF-8 bytes are malformed too', () => {
  expect(readHost(Buffer.from('\u{ff41}llowed.test'))).toEqual({ ok: false, reason: 'malformed_request', detail: character('00EF') });
});

test.each([
  ['allowed.test', { kind: 'name', host: 'allowed.test', port: null }],
  ['Allowed.Test.:8080', { kind: 'name', host: 'allowed.test', port: 8080 }],
  ['20.0.0.9:1', { kind: 'ipv4', host: '20.0.0.9', port: 1 }],
  ['[::1]:65535', { kind: 'ipv6', host: '[::1]', port: 65535 }],
  ['[::1]', { kind: 'ipv6', host: '[::1]', port: null }],
])('the authority "%s" is read', (text, expected) => {
  expect(readAuthority(text, { portRequired: false })).toEqual({ ok: true, ...expected });
});

const wrongPort = 'The port is not a whole number from 1 to 65535.';

test.each([
  ['A24', 'allowed.test:443:80', wrongPort],
  ['A24', 'allowed.test:0443', wrongPort],
  ['A24', 'allowed.test:+443', wrongPort],
  ['A24', 'allowed.test:443 ', wrongPort],
  ['A24', 'allowed.test:', wrongPort],
  ['A24', 'allowed.test:0', wrongPort],
  ['A24', 'allowed.test:65536', wrongPort],
  ['A24', 'allowed.test:443\n', wrongPort],
  ['A20', 'allowed.test@evil.test:443', character('0040')],
  ['A20', 'u:p@allowed.test:443', wrongPort],
  ['A25', '[::ffff:1.2.3.4%25x.allowed.test]:443', 'The host in brackets is not an IPv6 address.'],
  ['A26', '[evil.test]:443', 'The host in brackets is not an IPv6 address.'],
  ['D03', 'evil.test\\@plain.test:80', character('005C')],
  ['D16', 'allowed.test', 'The port is missing.'],
  ['D16', 'allowed.test:443/x', wrongPort],
  ['D16', 'http://evil.test:443', wrongPort],
  ['D16', '*:443', character('002A')],
  ['D16', ':443', character('003A')],
  ['', '', 'The host is empty.'],
  ['', '[::1]443', 'A host in brackets does not end with one.'],
  ['', '[::1', 'A host in brackets does not end with one.'],
  ['', '::1:443', character('003A')],
])('%s: the CONNECT target %j is malformed', (_, text, detail) => {
  expect(readAuthority(text, { portRequired: true })).toEqual({ ok: false, reason: 'malformed_request', detail });
});

test('every port that is written plainly is read, and only those', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -10, max: 70_000 }).map(String), fc.string({ maxLength: 6 })), (text) => {
      const plain = /^\d+$/.test(text) && String(Number(text)) === text && Number(text) >= 1 && Number(text) <= 65_535;
      expect(readPort(text).ok).toBe(plain);
    }),
  );
});

const piece = fc.constantFrom(
  ...[
    'a',
    'Z',
    '0',
    '9',
    '-',
    '_',
    '.',
    '.',
    '.',
    '[',
    ']',
    ':',
    '::',
    '%',
    '@',
    '\0',
    ' ',
    '\u00e9',
    '\u212a',
    'xn--',
    '0x',
    '255',
    '1.2.3.4',
  ],
);
const nameLike = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom('a', 'b-c', 'x_y', '9', 'test', 'a'.repeat(62)), { maxLength: 8 }).map((labels) => labels.join('.')),
  fc.array(fc.nat(260), { minLength: 4, maxLength: 4 }).map((octets) => octets.join('.')),
  fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }).map((groups) => `[${groups.map((group) => group.toString(16)).join(':')}]`),
);

test('whatever is read reads again to itself, holds only plain bytes, and never throws', () => {
  fc.assert(
    fc.property(nameLike, (text) => {
      const host = readHost(text);
      if (!host.ok) return;
      expect(host.host).toMatch(/^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/);
      expect(readHost(host.host)).toEqual(host);
      expect(readAuthority(`${host.host}:443`, { portRequired: true })).toEqual({ ...host, port: 443 });
    }),
    { numRuns: 500 },
  );
});
