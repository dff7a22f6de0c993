import { expect, test } from 'vitest';
import { readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';

const head = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
const withHost = (...lines: string[]): Buffer => head('GET / HTTP/1.1', 'Host: plain.test', ...lines);
const post = (...lines: string[]): Buffer => head('POST /x HTTP/1.1', 'Host: plain.test', ...lines);

test('a head is read whole, with the place where its body begins', () => {
  const bytes = Buffer.concat([post('Content-Length: 5', 'X-Empty:', 'X-Many:  a  b  '), Buffer.from('hello')]);
  expect(readHttpHead(bytes)).toEqual({
    state: 'head',
    method: 'POST',
    target: '/x',
    version: '1.1',
    headers: [
      ['Host', 'plain.test'],
      ['Content-Length', '5'],
      ['X-Empty', ''],
      ['X-Many', 'a  b'],
    ],
    names: ['host', 'content-length', 'x-empty', 'x-many'],
    headBytes: bytes.length - 5,
    host: { ok: true, kind: 'name', host: 'plain.test', port: null },
    framing: { kind: 'length', bytes: 5 },
    keepAlive: true,
    upgrade: null,
  });
});

test.each([
  ['A05 A07', withHost(), { host: { host: 'plain.test', port: null } }],
  ['A05 A07', head('GET / HTTP/1.1', 'HOST: Plain.TEST.:80'), { host: { host: 'plain.test', port: 80 } }],
  ['A11', head('GET / HTTP/1.1', 'host:a_b.allowed.test'), { host: { host: 'a_b.allowed.test' } }],
  ['D06', head('GET / HTTP/1.1', 'Host: plain.test:8080'), { host: { port: 8080 } }],
  ['an address', head('GET / HTTP/1.1', 'Host: [2606:4700:0::1]:80'), { host: { kind: 'ipv6', host: '[2606:4700::1]' } }],
  ['HTTP/1.0 with Host', head('GET / HTTP/1.0', 'Host: plain.test'), { version: '1.0', keepAlive: false }],
  ['close', withHost('Connection: keep-alive, Close'), { keepAlive: false }],
  ['keep-alive', withHost('Connection: keep-alive'), { keepAlive: true }],
  ['no body', withHost(), { framing: { kind: 'none' } }],
  ['an empty body', post('Content-Length: 0'), { framing: { kind: 'length', bytes: 0 } }],
  ['a long body', post('Content-Length: 999999999999999'), { framing: { kind: 'length', bytes: 999_999_999_999_999 } }],
  ['chunks', post('Transfer-Encoding: chunked'), { framing: { kind: 'chunked' } }],
  ['Expect', post('Content-Length: 1', 'Expect: 100-Continue'), { framing: { kind: 'length', bytes: 1 } }],
  ['CONNECT without Host', head('CONNECT allowed.test:443 HTTP/1.0'), { method: 'CONNECT', host: null }],
  ['D24', head('CONNECT allowed.test:443 HTTP/1.1', 'Host: allowed.test:443', 'Content-Length: 9'), { framing: { kind: 'none' } }],
  ['D25', withHost('Connection: keep-alive, Upgrade', 'Upgrade: WebSocket'), { upgrade: 'websocket' }],
  ['h2c', withHost('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x'), { upgrade: null }],
  ['two upgrades', withHost('Connection: Upgrade', 'Upgrade: websocket, h2c'), { upgrade: null }],
  ['two Upgrade headers', withHost('Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c'), { upgrade: null }],
  ['Upgrade that Connection does not name', withHost('Upgrade: websocket'), { upgrade: null }],
  ['Upgrade of a POST', post('Connection: Upgrade', 'Upgrade: websocket'), { upgrade: null }],
  ['Upgrade with a body', withHost('Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 3'), { upgrade: null }],
  ['Max-Forwards', withHost('Max-Forwards: 1'), { method: 'GET' }],
  ['other methods', head('M-SEARCH * HTTP/1.1', 'Host: plain.test'), { method: 'M-SEARCH', target: '*' }],
  ['bytes above ASCII in a path', head('GET /\u00fc\u00df HTTP/1.1', 'Host: plain.test'), { target: '/\u00fc\u00df' }],
  [
    'bytes above ASCII and tabs in a value',
    withHost('X-A: \u00fc\tb'),
    {
      headers: [
        ['Host', 'plain.test'],
        ['X-A', '\u00fc\tb'],
      ],
    },
  ],
  ['128 headers', withHost(...Array.from({ length: 127 }, (_, at) => `X-${at}: 1`)), { method: 'GET' }],
  ['16 KiB', withHost(`X: ${'a'.repeat(16_384 - withHost('X: ').length)}`), { headBytes: 16_384 }],
] as [string, Buffer, object][])('read: %s', (_, bytes, expected) => {
  expect(readHttpHead(bytes)).toMatchObject({ state: 'head', ...expected });
});

const malformed = { status: 400, reason: 'malformed_request' };
const noHttp = { status: 400, reason: 'not_recognised', detail: 'The first bytes are not an HTTP request.' };
const notPlain = { ...malformed, detail: 'Content-Length is not a plain number.' };
const notChunked = { ...malformed, detail: 'Transfer-Encoding is something else than "chunked".' };
const saidTwice = { ...malformed, detail: 'The length of the body is said more than once.' };
const lineEnd = { ...malformed, detail: 'The head contains a line end that is not CR LF.' };
const noColon = { ...malformed, detail: 'A header line has no colon, or continues the line before.' };
const noWord = { ...malformed, detail: 'The name of a header is not one word.' };
const badTarget = { ...malformed, detail: 'The target of the request contains a character that is not allowed.' };
const oldVersion = { ...malformed, detail: 'The request is not of HTTP/1.1 or HTTP/1.0.' };
const host = (detail: string) => ({ ...malformed, detail: `The Host header is malformed. ${detail}` });
const character = (code: string) => host(`The host contains a character that is not allowed: U+${code}.`);

test.each([
  ['A12', head('GET / HTTP/1.1', 'Host: \u00ef\u00bd\u0081llowed.test'), character('00EF')],
  ['A15', head('GET / HTTP/1.1', 'Host: evil.test\0.allowed.test'), { ...malformed, detail: 'The head contains the byte 0x00.' }],
  ['A20', head('GET / HTTP/1.1', 'Host: u@allowed.test'), character('0040')],
  ['A24', head('GET / HTTP/1.1', 'Host: allowed.test:080'), host('The port is not a whole number from 1 to 65535.')],
  ['A26', head('GET / HTTP/1.1', 'Host: [allowed.test]'), host('The host in brackets is not an IPv6 address.')],
  ['A27', head('GET / HTTP/1.1', 'Host: allowed.test evil.test'), character('0020')],
  ['A27', head('GET / HTTP/1.1', 'Host: allowed.test\tx'), character('0009')],
  ['A27', head('GET / HTTP/1.1', 'Host: allowed.test,evil.test'), character('002C')],
  ['A27', head('GET / HTTP/1.1', 'Host:\tallowed.test'), character('0009')],
  ['B04', head('GET / HTTP/1.1', 'Host: 2130706433'), host('The host looks like an IP address in a spelling that is not accepted.')],
  ['D05', head('GET / HTTP/1.1'), { ...malformed, detail: 'The request has no Host header.' }],
  ['D05', head('GET / HTTP/1.0', 'X: y'), { ...malformed, detail: 'The request has no Host header.' }],
  ['D05', Buffer.from('GET /\r\n'), { ...malformed, detail: 'The request line is not a method, a target and a version.' }],
  ['D05', head('GET / HTTP/1.1', 'Host:'), host('The host is empty.')],
  ['D05', head('GET / HTTP/1.1', 'Host: a.test', 'Host: a.test'), { ...malformed, detail: 'The request has more than one Host header.' }],
  [
    'D05',
    head('CONNECT a.test:443 HTTP/1.1', 'Host: a.test', 'Host: b.test'),
    { ...malformed, detail: 'The request has more than one Host header.' },
  ],
  ['D09', post('Content-Length: 3', 'Transfer-Encoding: chunked'), saidTwice],
  ['D09', post('Transfer-Encoding: chunked', 'Content-Length: 3'), saidTwice],
  ['D09', post('Content-Length: 3', 'Content-Length: 4'), saidTwice],
  ['D09', post('Content-Length: 3', 'content-length: 3'), saidTwice],
  ['D09', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), saidTwice],
  ['D09', head('CONNECT a.test:443 HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked'), saidTwice],
  ['D09', post('Content-Length: +3'), notPlain],
  ['D09', post('Content-Length: -3'), notPlain],
  ['D09', post('Content-Length: 3, 3'), notPlain],
  ['D09', post('Content-Length: 03'), notPlain],
  ['D09', post('Content-Length: 0x3'), notPlain],
  ['D09', post('Content-Length: 3\t'), notPlain],
  ['D09', post('Content-Length:'), notPlain],
  ['D09', post('Content-Length: 9999999999999999'), notPlain],
  ['D09', post('Transfer-Encoding: xchunked'), notChunked],
  ['D09', post('Transfer-Encoding: chunked, identity'), notChunked],
  ['D09', post('Transfer-Encoding: identity'), notChunked],
  ['D09', post('Transfer-Encoding: gzip, chunked'), notChunked],
  ['D09', post('Transfer-Encoding:\tchunked'), notChunked],
  ['D09', post('Transfer-Encoding: chunked\t'), notChunked],
  ['D09', post('Transfer-Encoding: cHuNkEd'), notChunked],
  ['D09', post('Transfer-Encoding: "chunked"'), notChunked],
  ['D09', post('Transfer-Encoding:'), notChunked],
  [
    'D09',
    head('POST / HTTP/1.0', 'Host: a.test', 'Transfer-Encoding: chunked'),
    { ...malformed, detail: 'HTTP/1.0 has no Transfer-Encoding.' },
  ],
  ['D12', withHost('X: a', ' b'), noColon],
  ['D12', withHost('X: a', '\tb: c'), noWord],
  ['D12', withHost('X: a\rY: b'), lineEnd],
  ['D12', withHost('X: a\nY: b'), lineEnd],
  ['D12', Buffer.from('GET / HTTP/1.1\nHost: plain.test\n\n'), lineEnd],
  ['D12', Buffer.from('GET / HTTP/1.1\r\nHost: plain.test\r\nX: y\n'), lineEnd],
  ['D12', Buffer.from('GET / HTTP/1.1\r\r\n'), lineEnd],
  ['D12', head('GET / HTTP/1.1', 'Host : plain.test'), noWord],
  ['D12', withHost(': x'), noWord],
  ['D12', withHost('X Y: z'), noWord],
  ['D12', withHost('X\u00fc: z'), noWord],
  ['D12', withHost('nothing'), noColon],
  ['D12', Buffer.from('\r\n'.repeat(10_000)), { ...malformed, detail: 'A request begins with an empty line.' }],
  ['D12', Buffer.from('\r\nGET / HTTP/1.1\r\nHost: plain.test\r\n\r\n'), { ...malformed, detail: 'A request begins with an empty line.' }],
  ['D12', withHost('X: \x7f'), { ...malformed, detail: 'The head contains the byte 0x7f.' }],
  ['C17', withHost('X: \x1b[0m'), { ...malformed, detail: 'The head contains the byte 0x1b.' }],
  [
    'D13',
    withHost(`X: ${'a'.repeat(17 * 1024)}`),
    { status: 431, reason: 'limit_exceeded', detail: 'The head of the request is longer than 16384 bytes.' },
  ],
  [
    'D13',
    withHost(`X: ${'a'.repeat(16_385 - withHost('X: ').length)}`),
    { status: 431, reason: 'limit_exceeded', detail: 'The head of the request is longer than 16384 bytes.' },
  ],
  [
    'D13',
    withHost(...Array.from({ length: 2000 }, () => 'a: b')),
    { status: 431, reason: 'limit_exceeded', detail: 'There are more than 128 headers.' },
  ],
  [
    'D13',
    withHost(...Array.from({ length: 128 }, () => 'a: b')),
    { status: 431, reason: 'limit_exceeded', detail: 'There are more than 128 headers.' },
  ],
  [
    'D13',
    head(`GET /${'a'.repeat(64 * 1024)} HTTP/1.1`, 'Host: plain.test'),
    { status: 414, reason: 'limit_exceeded', detail: 'The request line is longer than 16384 bytes.' },
  ],
  ['A10', head('GET / HTTP/1.1', `Host: ${'a.'.repeat(7000)}test`), host('The host is longer than 253 characters.')],
  ['D27', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), { ...malformed, detail: 'The method of the request is not one of HTTP/1.' }],
  [
    'D29',
    head('TRACE / HTTP/1.1', 'Host: plain.test'),
    { status: 405, reason: 'malformed_request', detail: 'The method TRACE is not passed on.' },
  ],
  ['D29', withHost('Max-Forwards: 0'), { ...malformed, detail: 'A request with "Max-Forwards: 0" is not passed on.' }],
  ['D29', head('get / HTTP/1.1', 'Host: plain.test'), { ...malformed, detail: 'The method of the request is not one of HTTP/1.' }],
  ['D29', head(`${'A'.repeat(300)} / HTTP/1.1`, 'Host: plain.test'), { ...malformed, detail: 'The method of the request is too long.' }],
  ['D03', head('GET /x#@evil.test HTTP/1.1', 'Host: plain.test'), badTarget],
  ['a tab in the target', head('GET /a\tb HTTP/1.1', 'Host: plain.test'), badTarget],
  ['three spaces', head('GET / b HTTP/1.1', 'Host: plain.test'), oldVersion],
  ['two spaces in a row', head('GET  / HTTP/1.1', 'Host: plain.test'), oldVersion],
  ['a space at the end', head('GET / HTTP/1.1 ', 'Host: plain.test'), oldVersion],
  ['HTTP/1.2', head('GET / HTTP/1.2', 'Host: plain.test'), oldVersion],
  ['HTTP/2.0', head('GET / HTTP/2.0', 'Host: plain.test'), oldVersion],
  ['http/1.1', head('GET / http/1.1', 'Host: plain.test'), oldVersion],
  [
    'another Expect',
    post('Expect: 200-ok'),
    { status: 417, reason: 'malformed_request', detail: 'The request expects something else than 100-continue.' },
  ],
  ['SMTP', Buffer.from('EHLO evil.test\r\n'), { ...malformed, detail: 'The request line is not a method, a target and a version.' }],
  ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.2p1 Debian\r\n'), noHttp],
  ['Redis', Buffer.from('*1\r\n$4\r\nPING\r\n'), noHttp],
  ['a lone word', Buffer.from('PING\r\n'), noHttp],
  ['TLS', Buffer.from('1603010200', 'hex'), noHttp],
  ['L9: a PROXY header', Buffer.from('\r\n\r\n\0\r\nQUIT\n!'), { ...malformed, detail: 'A request begins with an empty line.' }],
  ['a space first', Buffer.from(' GET / HTTP/1.1\r\n'), noHttp],
  ['a long word that is no method', Buffer.from(`${'a1'.repeat(20)} x`), noHttp],
] as [string, Buffer, object][])('bad: %s', (_, bytes, expected) => {
  expect(readHttpHead(bytes)).toEqual({ state: 'bad', ...expected });
});

test.each([
  '',
  'G',
  'GET',
  'GET ',
  'GET / HTTP/1.1',
  'GET / HTTP/1.1\r',
  'GET / HTTP/1.1\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r',
  'A'.repeat(24),
])('more: %j', (text) => {
  expect(readHttpHead(Buffer.from(text))).toEqual({ state: 'more' });
});
