import { expect, test } from 'vitest';
import { type RequestHead, readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';
import { readTarget } from '../../../sandbox-engine/egress/read-target.ts';

const request = (first: string, host: string | null): RequestHead => {
  const head = readHttpHead(Buffer.from(`${first} HTTP/1.1\r\n${host === null ? '' : `Host: ${host}\r\n`}\r\n`, 'latin1'));
  if (head.state !== 'head') throw new Error(`not a head: ${JSON.stringify(head)}`);
  return head;
};
const explicit = (first: string, host: string | null) => readTarget(request(first, host), { mode: 'explicit' });
const transparent = (first: string, host: string, port = 80) => readTarget(request(first, host), { mode: 'transparent', port });

const http = (host: string, port: number, path: string, kind = 'name') => ({ ok: true, form: 'http', kind, host, port, path });
const connect = (host: string, port: number, kind = 'name') => ({ ok: true, form: 'connect', kind, host, port });

test.each([
  ['GET http://allowed.test/', 'allowed.test', http('allowed.test', 80, '/')],
  ['GET HTTP://Allowed.Test.:80/a?b', 'ALLOWED.test', http('allowed.test', 80, '/a?b')],
  ['GET http://allowed.test:8080/', 'allowed.test:8080', http('allowed.test', 8080, '/')],
  ['GET http://allowed.test', 'allowed.test:80', http('allowed.test', 80, '/')],
  ['GET http://allowed.test?q', 'allowed.test', http('allowed.test', 80, '/?q')],
  ['OPTIONS http://allowed.test', 'allowed.test', http('allowed.test', 80, '*')],
  ['OPTIONS http://allowed.test/', 'allowed.test', http('allowed.test', 80, '/')],
  ['GET http://20.0.0.9/', '20.0.0.9', http('20.0.0.9', 80, '/', 'ipv4')],
  ['GET http://[2606:4700::0:1]/', '[2606:4700::1]', http('[2606:4700::1]', 80, '/', 'ipv6')],
  ['GET http://allowed.test//evil.test/', 'allowed.test', http('allowed.test', 80, '//evil.test/')],
  ['GET http://allowed.test/http://evil.test/@', 'allowed.test', http('allowed.test', 80, '/http://evil.test/@')],
  ['CONNECT allowed.test:443', 'allowed.test:443', connect('allowed.test', 443)],
  ['CONNECT ALLOWED.test.:443', 'allowed.test', connect('allowed.test', 443)],
  ['CONNECT allowed.test:443', null, connect('allowed.test', 443)],
  ['CONNECT [2606:4700::1]:443', '[2606:4700:0::1]:443', connect('[2606:4700::1]', 443, 'ipv6')],
] as const)('to the proxy, "%s" with Host %s is read', (first, host, expected) => {
  expect(explicit(first, host)).toEqual(expected);
});

test.each([
  ['GET /', 'plain.test', 80, http('plain.test', 80, '/')],
  ['GET /', 'plain.test:80', 80, http('plain.test', 80, '/')],
  ['GET /', 'plain.test:8080', 8080, http('plain.test', 8080, '/')],
  ['GET /', 'plain.test', 8080, http('plain.test', 8080, '/')],
  ['GET //evil.test/', 'plain.test', 80, http('plain.test', 80, '//evil.test/')],
  ['OPTIONS *', 'plain.test', 80, http('plain.test', 80, '*')],
  ['GET http://plain.test/x', 'plain.test', 80, http('plain.test', 80, '/x')],
  ['GET http://plain.test:8080/x', 'plain.test:8080', 8080, http('plain.test', 8080, '/x')],
] as const)('to the destination itself, "%s" with Host %s on port %i is read', (first, host, port, expected) => {
  expect(transparent(first, host, port)).toEqual(expected);
});

const otherThanTarget = 'The Host header names something else than the target does.';
const otherThanConnect = 'The Host header names something else than CONNECT does.';
const otherThanHost = 'The target of the request names something else than the Host header does.';

test.each([
  ['D01', explicit('GET http://allowed.test/', 'evil.test'), otherThanTarget],
  ['D01, by port', explicit('GET http://allowed.test:8080/', 'allowed.test'), otherThanTarget],
  ['D01, by port', explicit('GET http://allowed.test/', 'allowed.test:8080'), otherThanTarget],
  ['D02', transparent('GET http://evil.test/', 'plain.test'), otherThanHost],
  ['D02, by port', transparent('GET http://plain.test/', 'plain.test', 8080), otherThanHost],
  ['D06', transparent('GET /', 'plain.test:8080'), 'The Host header names another port than that of the connection.'],
  ['D15', explicit('CONNECT allowed.test:443', 'evil.test'), otherThanConnect],
  ['D15, by port', explicit('CONNECT allowed.test:443', 'allowed.test:80'), otherThanConnect],
])('%s: two names are a mismatch', (_, target, detail) => {
  expect(target).toEqual({ ok: false, status: 400, reason: 'name_mismatch', detail });
});

const whole = 'The target of the request is not a path or an http:// address.';
const inTarget = (detail: string) => `The target of the request is malformed. ${detail}`;
const inConnect = (detail: string) => `The target of CONNECT is malformed. ${detail}`;
const character = (code: string) => `The host contains a character that is not allowed: U+${code}.`;
const port = 'The port is not a whole number from 1 to 65535.';
const numeric = 'The host looks like an IP address in a spelling that is not accepted.';

test.each([
  ['A20', explicit('CONNECT allowed.test@evil.test:443', 'allowed.test'), inConnect(character('0040'))],
  ['A20', explicit('CONNECT u:p@allowed.test:443', 'allowed.test'), inConnect(port)],
  ['A24', explicit('CONNECT allowed.test:443:80', 'allowed.test'), inConnect(port)],
  ['A24', explicit('CONNECT allowed.test:0443', 'allowed.test'), inConnect(port)],
  ['A24', explicit('CONNECT allowed.test:+443', 'allowed.test'), inConnect(port)],
  ['A26', explicit('CONNECT [evil.test]:443', 'allowed.test'), inConnect('The host in brackets is not an IPv6 address.')],
  ['B03', explicit('CONNECT 127.1:80', 'allowed.test'), inConnect(numeric)],
  ['B03', explicit('GET http://2130706433/', 'allowed.test'), inTarget(numeric)],
  ['B03', explicit('GET http://0x7f000001/', 'allowed.test'), inTarget(numeric)],
  ['D03', explicit('GET http://plain.test@evil.test/', 'plain.test'), inTarget(character('0040'))],
  ['D03', explicit('GET http://evil.test\\@plain.test/', 'plain.test'), inTarget(character('005C'))],
  ['D03', explicit('GET http://plain.test%2eevil.test/', 'plain.test'), inTarget(character('0025'))],
  ['D16', explicit('CONNECT allowed.test', 'allowed.test'), inConnect('The port is missing.')],
  ['D16', explicit('CONNECT allowed.test:443/x', 'allowed.test'), inConnect(port)],
  ['D16', explicit('CONNECT http://evil.test:443', 'allowed.test'), inConnect(port)],
  ['D16', explicit('CONNECT *:443', 'allowed.test'), inConnect(character('002A'))],
  ['D16', explicit('CONNECT :443', 'allowed.test'), inConnect(character('003A'))],
  ['D16', explicit('CONNECT /', 'allowed.test'), inConnect(character('002F'))],
  ['D36', explicit('GET ftp://allowed.test/', 'allowed.test'), whole],
  ['D36', explicit('GET https://allowed.test/', 'allowed.test'), whole],
  ['D36', explicit('GET ws://allowed.test/', 'allowed.test'), whole],
  ['D36', explicit('GET file:///etc/passwd', 'allowed.test'), whole],
  ['D36', transparent('GET https://plain.test/', 'plain.test'), whole],
  ['http: without slashes', explicit('GET http:allowed.test/', 'allowed.test'), whole],
  ['no authority', explicit('GET http:///x', 'allowed.test'), inTarget('The host is empty.')],
  ['an authority alone', transparent('GET plain.test:80', 'plain.test'), whole],
  ['* for GET', transparent('GET *', 'plain.test'), whole],
  ['a path to a proxy', explicit('GET /', 'allowed.test'), 'A request to a proxy needs a whole address as its target.'],
  ['* to a proxy', explicit('OPTIONS *', 'allowed.test'), 'A request to a proxy needs a whole address as its target.'],
  ['CONNECT to the destination', transparent('CONNECT plain.test:80', 'plain.test'), 'CONNECT is only for a proxy.'],
])('%s: malformed', (_, target, detail) => {
  expect(target).toEqual({ ok: false, status: 400, reason: 'malformed_request', detail });
});
