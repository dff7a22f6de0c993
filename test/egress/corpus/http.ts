// Requests of HTTP. Source: NETWORK.md 2, D; I03 and I04.
import { connectTo, get, type Row, through, tls } from './row.ts';

const toPlain = { name: 'plain.test', port: 80 };
const atPlain = (id: string, what: string, send: Row['send'], back: string[], log: string[], more: Partial<Row> = {}): Row => ({
  ...{ id, what, to: toPlain, send, back, log, ...more },
});
const malformedAtPlain = (id: string, what: string, text: string): Row =>
  atPlain(id, what, [text], ['400'], ['malformed_request plain.test:80']);
const atProxy = (id: string, what: string, send: Row['send'], back: string[], log: string[], more: Partial<Row> = {}): Row => ({
  ...{ id, what, to: 'proxy', send, back, log, ...more },
});
const malformed = ['malformed_request -'];

const post = (framing: string, body: string): string => `POST / HTTP/1.1\r\nHost: plain.test\r\n${framing}\r\n\r\n${body}`;
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const framings: [what: string, text: string][] = [
  ['a length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['two lengths', post('Content-Length: 3\r\nContent-Length: 4', 'abcd')],
  ['a length with a sign', post('Content-Length: +3', 'abc')],
  ['an unknown encoding', post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
  ['chunks and identity', post('Transfer-Encoding: chunked, identity', '0\r\n\r\n')],
  ['an encoding behind a tab', post('Transfer-Encoding:\tchunked', '0\r\n\r\n')],
  ['an encoding in capitals', post('Transfer-Encoding: Chunked', '0\r\n\r\n')],
];

const chunks: [what: string, body: string][] = [
  ['a size that overflows', 'FFFFFFFFFFFFFFFFF\r\nabc'],
  ['a size with a prefix', '0x3\r\nabc\r\n0\r\n\r\n'],
  ['a size before a space', '3 ;\r\nabc\r\n0\r\n\r\n'],
  ['a bare line feed', '3\nabc\n0\n\n'],
  ['a mebibyte of extensions', `3;${'x'.repeat(1_048_576)}\r\nabc\r\n0\r\n\r\n`],
];

const heads: [what: string, text: string][] = [
  ['a folded line', 'GET / HTTP/1.1\r\nHost: plain.test\r\nX-A: 1\r\n 2\r\n\r\n'],
  ['a bare carriage return', 'GET / HTTP/1.1\r\nHost: plain.test\rX-A: 1\r\n\r\n'],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: plain.test\n\n'],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : plain.test\r\n\r\n'],
  ['10,000 empty lines', `${'\r\n'.repeat(10_000)}${get('/', 'plain.test')}`],
];

export const httpRows: Row[] = [
  atProxy('D01', 'a Host that is not the target', [get('http://allowed.test/', 'evil.test')], ['400'], ['name_mismatch -']),
  atPlain('D02', 'a whole address for another host', [get('http://evil.test/', 'plain.test')], ['400'], ['name_mismatch plain.test:80']),
  ...['http://plain.test@evil.test/', 'http://evil.test\\@plain.test/', 'http://evil.test#@plain.test/'].map((target) =>
    atProxy('D03', `the target ${target}`, [get(target, 'plain.test')], ['400'], malformed),
  ),
  malformedAtPlain('D05', 'HTTP/1.1 without Host', 'GET / HTTP/1.1\r\n\r\n'),
  malformedAtPlain('D05', 'HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n'),
  malformedAtPlain('D05', 'HTTP/0.9', 'GET /\r\n'),
  atPlain('D06', 'another port in Host', [get('/', 'plain.test:8080')], ['400'], ['name_mismatch plain.test:80']),
  atPlain('D06', 'the port in Host', [get('/', 'plain.test:80')], ['200', 'http:plain.test'], ['allowed plain.test:80']),
  atProxy(
    'D08',
    'an allowed and a blocked request in one packet',
    [get('http://plain.test/', 'plain.test') + get('http://blocked.test/', 'blocked.test')],
    ['200', 'http:plain.test', '403'],
    ['allowed plain.test:80', 'no_rule blocked.test:80'],
  ),
  atProxy(
    'D08',
    'a blocked and an allowed request in one packet',
    [get('http://blocked.test/', 'blocked.test') + get('http://plain.test/', 'plain.test')],
    ['403', '200', 'http:plain.test'],
    ['no_rule blocked.test:80', 'allowed plain.test:80'],
  ),
  ...framings.map(([what, text]) => malformedAtPlain('D09', what, text)),
  // To a server that answers what is whole only.
  ...chunks.slice(-1).map(
    ([what, body]): Row => ({
      ...{ id: 'D10', what, to: { name: 'big.test', port: 80 }, asks: ['big.test'], mayReach: 'big.test' },
      send: [post('Transfer-Encoding: chunked', body).replace('plain.test', 'big.test')],
      ...{ back: ['400'], log: ['malformed_request big.test:80'] },
    }),
  ),
  ...chunks.slice(0, -1).map(([what, body]) =>
    atPlain('D11', what, [post('Transfer-Encoding: chunked', body)], ['400'], ['malformed_request plain.test:80'], {
      asks: ['plain.test'],
    }),
  ),
  ...heads.map(([what, text]) => malformedAtPlain('D12', what, text)),
  atPlain('D13', 'a head of 17 KiB', [get('/', 'plain.test', `X-A: ${'a'.repeat(17_000)}\r\n`)], ['431'], ['limit_exceeded plain.test:80']),
  atPlain('D13', '2,000 headers', [get('/', 'plain.test', 'A: 1\r\n'.repeat(2_000))], ['431'], ['limit_exceeded plain.test:80']),
  atPlain('D13', 'a target of 64 KiB', [get(`/${'a'.repeat(65_536)}`, 'plain.test')], ['414'], ['limit_exceeded plain.test:80']),
  atProxy('D15', 'a Host that CONNECT does not name', [connectTo('allowed.test:443', 'evil.test')], ['400'], ['name_mismatch -']),
  ...['allowed.test', 'allowed.test:443/x', 'http://evil.test:443', '*:443', ':443'].map((target) =>
    atProxy('D16', `CONNECT ${target}`, [connectTo(target, 'allowed.test')], ['400'], malformed),
  ),
  atProxy('D17', 'CONNECT to a blocked name', [connectTo('blocked.test:443')], ['403'], ['no_rule blocked.test:443']),
  atProxy('D18', 'CONNECT to port 22', [connectTo('allowed.test:22')], ['403'], ['port_not_allowed allowed.test:22']),
  atProxy('D18', 'CONNECT to port 8443', [connectTo('allowed.test:8443')], ['403'], ['port_not_allowed allowed.test:8443']),
  atProxy(
    'D19',
    'another TLS name in a tunnel',
    through('allowed.test:443', tls('evil.test')),
    ['200', 'alert'],
    ['name_mismatch allowed.test:443'],
    { asks: ['allowed.test'] },
  ),
  atProxy('D20', 'no TLS name in a tunnel', through('allowed.test:443', tls(null)), ['200', 'alert'], ['no_sni allowed.test:443'], {
    asks: ['allowed.test'],
  }),
  atProxy(
    'D22',
    'another Host in a tunnel',
    through('plain.test:80', get('/', 'evil.test')),
    ['200', '400'],
    ['name_mismatch plain.test:80'],
    { asks: ['plain.test'] },
  ),
  atProxy(
    'D22',
    'the right Host in a tunnel',
    through('plain.test:80', get('/', 'plain.test')),
    ['200', '200', 'http:plain.test'],
    ['allowed plain.test:80'],
  ),
  atProxy(
    'D23',
    'a greeting for another name in the packet of CONNECT',
    [Buffer.concat([Buffer.from(connectTo('allowed.test:443')), tls('evil.test')])],
    ['200', 'alert'],
    ['name_mismatch allowed.test:443'],
    { asks: ['allowed.test'] },
  ),
  atProxy(
    'D24',
    'CONNECT with a body',
    [
      Buffer.concat([
        Buffer.from('CONNECT allowed.test:443 HTTP/1.1\r\nHost: allowed.test:443\r\nContent-Length: 200\r\n\r\n'),
        tls('evil.test'),
      ]),
    ],
    ['200', 'alert'],
    ['name_mismatch allowed.test:443'],
    { asks: ['allowed.test'] },
  ),
  atPlain(
    'D25',
    'a WebSocket',
    [get('/', 'plain.test', upgrade), { after: '\r\n\r\n', send: 'frame' }],
    ['101', 'tcp:plain.test'],
    ['allowed plain.test:80'],
  ),
  atProxy(
    'D25',
    'a WebSocket to a blocked name',
    [get('http://blocked.test/', 'blocked.test', upgrade)],
    ['403'],
    ['no_rule blocked.test:80'],
  ),
  atProxy(
    'D25',
    'a request for another host after the switch',
    [get('http://plain.test/', 'plain.test', upgrade), { after: '\r\n\r\n', send: get('http://evil.test/', 'evil.test') }],
    ['101', '200', 'http:plain.test'],
    ['allowed plain.test:80'],
  ),
  malformedAtPlain('D27', 'HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  atProxy(
    'D27',
    'HTTP/2 without asking in a tunnel',
    through('plain.test:80', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ['200', '400'],
    ['malformed_request plain.test:80'],
    { asks: ['plain.test'] },
  ),
  atPlain('D29', 'TRACE', ['TRACE / HTTP/1.1\r\nHost: plain.test\r\n\r\n'], ['405'], ['malformed_request plain.test:80']),
  malformedAtPlain('D29', 'no forwards left', get('/', 'plain.test', 'Max-Forwards: 0\r\n')),
  malformedAtPlain('D29', 'a method in small letters', 'get / HTTP/1.1\r\nHost: plain.test\r\n\r\n'),
  malformedAtPlain('D29', 'a method of 300', `${'A'.repeat(300)} / HTTP/1.1\r\nHost: plain.test\r\n\r\n`),
  atProxy('D35', 'the proxy itself', [connectTo('198.18.0.1:3128')], ['403'], ['special_address 198.18.0.1:3128']),
  ...['ftp://plain.test/', 'https://plain.test/', 'ws://plain.test/', 'file:///etc/passwd'].map((target) =>
    atProxy('D36', `the target ${target}`, [get(target, 'plain.test')], ['400'], malformed),
  ),
  ...['', 'Expect: 100-continue\r\n'].map((expectation) =>
    atProxy(
      'D37',
      `a body of 2 GiB for a blocked name${expectation === '' ? '' : ', with Expect'}`,
      [`POST http://blocked.test/ HTTP/1.1\r\nHost: blocked.test\r\n${expectation}Content-Length: 2147483648\r\n\r\n`],
      ['403'],
      ['no_rule blocked.test:80'],
    ),
  ),
  {
    id: 'I03',
    what: 'a foreign proxy by its name',
    to: { name: 'evil.test', port: 3128 },
    send: [connectTo('allowed.test:443')],
    back: ['400'],
    log: ['malformed_request evil.test:3128'],
  },
  {
    id: 'I03',
    what: 'a foreign proxy by its address',
    to: { address: '6.6.6.6', port: 3128 },
    send: [connectTo('allowed.test:443')],
    back: ['400'],
    log: ['malformed_request 6.6.6.6:3128'],
  },
  atProxy('I04', 'SOCKS 5', [Buffer.from('050100', 'hex')], [], ['not_recognised -']),
];
