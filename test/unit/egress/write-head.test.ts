import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { type RequestHead, readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';
import { type ResponseHead, readResponseHead } from '../../../sandbox-engine/egress/read-response-head.ts';
import { writeRequestHead, writeResponseHead } from '../../../sandbox-engine/egress/write-head.ts';
import { cpuMs } from './cpu-time.ts';

const request = (...lines: string[]): RequestHead => {
  const head = readHttpHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  if (head.state !== 'head') throw new Error(JSON.stringify(head));
  return head;
};
const response = (asked: Partial<RequestHead>, ...lines: string[]): ResponseHead => {
  const head = readResponseHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), {
    method: 'GET',
    version: '1.1',
    upgrade: null,
    ...asked,
  });
  if (head.state !== 'head') throw new Error(JSON.stringify(head));
  return head;
};
const linesOf = (bytes: Buffer): string[] => {
  const text = bytes.toString('latin1');
  expect(text.endsWith('\r\n\r\n')).toBe(true);
  return text.slice(0, -4).split('\r\n');
};
const to = { host: 'plain.test', path: '/x' };

test.each([
  [
    'a plain request',
    ['GET http://plain.test/x HTTP/1.1', 'Host: PLAIN.test.:80', 'Accept: */*'],
    {},
    ['GET /x HTTP/1.1', 'Host: plain.test', 'Accept: */*'],
  ],
  ['another port', ['GET /x HTTP/1.1', 'Host: plain.test:8080'], { host: 'plain.test:8080' }, ['GET /x HTTP/1.1', 'Host: plain.test:8080']],
  [
    'a length',
    ['POST /x HTTP/1.1', 'Content-Length: 5', 'Host: plain.test'],
    {},
    ['POST /x HTTP/1.1', 'Host: plain.test', 'Content-Length: 5'],
  ],
  [
    'chunks',
    ['POST /x HTTP/1.1', 'Host: plain.test', 'Transfer-Encoding: chunked', 'Trailer: Host'],
    {},
    ['POST /x HTTP/1.1', 'Host: plain.test', 'Transfer-Encoding: chunked'],
  ],
  [
    'Expect',
    ['POST /x HTTP/1.1', 'Host: plain.test', 'Expect: 100-continue', 'Content-Length: 5'],
    {},
    ['POST /x HTTP/1.1', 'Host: plain.test', 'Expect: 100-continue', 'Content-Length: 5'],
  ],
  [
    'no further request',
    ['GET /x HTTP/1.1', 'Host: plain.test'],
    { keepAlive: false },
    ['GET /x HTTP/1.1', 'Host: plain.test', 'Connection: close'],
  ],
  ['a client that closes', ['GET /x HTTP/1.1', 'Host: plain.test', 'Connection: close'], {}, ['GET /x HTTP/1.1', 'Host: plain.test']],
  [
    'HTTP/1.0',
    ['GET /x HTTP/1.0', 'Host: plain.test', 'Connection: keep-alive'],
    {},
    ['GET /x HTTP/1.0', 'Host: plain.test', 'Connection: close'],
  ],
  [
    'D25: a WebSocket',
    ['GET /x HTTP/1.1', 'Host: plain.test', 'Connection: keep-alive, Upgrade', 'Upgrade: WebSocket', 'Sec-WebSocket-Key: a'],
    {},
    ['GET /x HTTP/1.1', 'Host: plain.test', 'Sec-WebSocket-Key: a', 'Connection: Upgrade', 'Upgrade: websocket'],
  ],
  [
    'h2c',
    ['GET /x HTTP/1.1', 'Host: plain.test', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: a'],
    {},
    ['GET /x HTTP/1.1', 'Host: plain.test'],
  ],
  [
    'D30: tokens and hops',
    [
      'GET /x HTTP/1.1',
      'Host: plain.test',
      'Proxy-Authorization: Basic c2VjcmV0',
      'proxy-connection: keep-alive',
      'PROXY-FOO: x',
      'X-Sandlot-Token: t',
      'Keep-Alive: 5',
      'TE: trailers',
      'X-Forwarded-For: 1.2.3.4',
      'Via: x',
    ],
    {},
    ['GET /x HTTP/1.1', 'Host: plain.test', 'X-Forwarded-For: 1.2.3.4', 'Via: x'],
  ],
  [
    'what Connection names',
    ['GET /x HTTP/1.1', 'Host: plain.test', 'X-Hop: 1', 'Connection: x-hop, host, content-length', 'Content-Length: 0', 'X-End: 2'],
    {},
    ['GET /x HTTP/1.1', 'Host: plain.test', 'X-End: 2', 'Content-Length: 0'],
  ],
  [
    'bytes above ASCII',
    ['GET /\u00fc HTTP/1.1', 'Host: plain.test', 'X: \u00ff\tz'],
    { path: '/\u00fc' },
    ['GET /\u00fc HTTP/1.1', 'Host: plain.test', 'X: \u00ff\tz'],
  ],
] as [string, string[], object, string[]][])('a request: %s', (_, lines, change, expected) => {
  expect(linesOf(writeRequestHead(request(...lines), { ...to, ...change }))).toEqual(expected);
});

test.each([
  ['a length', {}, ['HTTP/1.1 200 OK', 'Content-Length: 5', 'X: y'], ['HTTP/1.1 200 OK', 'X: y', 'Content-Length: 5']],
  [
    'chunks',
    {},
    ['HTTP/1.1 200 OK', 'Transfer-Encoding: Chunked', 'Trailer: X', 'Connection: keep-alive'],
    ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'],
  ],
  ['no phrase', {}, ['HTTP/1.1 404', 'Content-Length: 0'], ['HTTP/1.1 404 ', 'Content-Length: 0']],
  ['HTTP/1.0', {}, ['HTTP/1.0 200 OK', 'Content-Length: 5'], ['HTTP/1.1 200 OK', 'Content-Length: 5']],
  ['HEAD keeps the length', { method: 'HEAD' }, ['HTTP/1.1 200 OK', 'Content-Length: 5'], ['HTTP/1.1 200 OK', 'Content-Length: 5']],
  ['HEAD without one', { method: 'HEAD' }, ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'], ['HTTP/1.1 200 OK']],
  ['304 keeps the length', {}, ['HTTP/1.1 304 Not Modified', 'Content-Length: 5'], ['HTTP/1.1 304 Not Modified', 'Content-Length: 5']],
  ['204 has none', {}, ['HTTP/1.1 204 No Content', 'Content-Length: 5'], ['HTTP/1.1 204 No Content']],
  ['100', {}, ['HTTP/1.1 100 Continue'], ['HTTP/1.1 100 Continue']],
  [
    'D25: 101',
    { upgrade: 'websocket' },
    ['HTTP/1.1 101 Switching', 'Upgrade: WebSocket', 'Connection: upgrade', 'Sec-WebSocket-Accept: a'],
    ['HTTP/1.1 101 Switching', 'Sec-WebSocket-Accept: a', 'Connection: Upgrade', 'Upgrade: websocket'],
  ],
  [
    'D30: what is of this hop, or ours',
    {},
    [
      'HTTP/1.1 200 OK',
      'Content-Length: 0',
      'Keep-Alive: x',
      'Connection: X-Hop',
      'X-Hop: 1',
      'Proxy-Authenticate: Basic',
      'X-Sandlot-Reason: allowed',
      'Upgrade: h2c',
    ],
    ['HTTP/1.1 200 OK', 'Content-Length: 0'],
  ],
  [
    'D31: a redirect',
    {},
    ['HTTP/1.1 302 Found', 'Location: http://169.254.169.254/', 'Content-Length: 0'],
    ['HTTP/1.1 302 Found', 'Location: http://169.254.169.254/', 'Content-Length: 0'],
  ],
  [
    'many cookies',
    {},
    ['HTTP/1.1 200 OK', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Content-Length: 0'],
    ['HTTP/1.1 200 OK', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Content-Length: 0'],
  ],
] as [string, object, string[], string[]][])('a response: %s', (_, asked, lines, expected) => {
  expect(linesOf(writeResponseHead(response(asked, ...lines), { keepAlive: true }))).toEqual(expected);
});

test('a response says when the connection ends after it, but not an interim one', () => {
  expect(linesOf(writeResponseHead(response({}, 'HTTP/1.1 200 OK'), { keepAlive: false }))).toEqual([
    'HTTP/1.1 200 OK',
    'Connection: close',
  ]);
  expect(linesOf(writeResponseHead(response({}, 'HTTP/1.1 103 Early'), { keepAlive: false }))).toEqual(['HTTP/1.1 103 Early']);
});

test("Node's own server reads what was written as the one request that it is", async () => {
  const server = createServer((_, answer) => answer.end('x')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const head = request(
    'POST /a?b=c HTTP/1.1',
    'HOST: plain.test',
    'Connection: x-hop',
    'X-Hop: 1',
    'x-a:  1  ',
    'Transfer-Encoding: chunked',
  );
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  const asked = once(server, 'request');
  client.write(writeRequestHead(head, { host: 'plain.test', path: head.target }));
  client.write('0\r\n\r\n');
  const [message] = (await asked) as [IncomingMessage];
  expect([message.method, message.url, message.rawHeaders]).toEqual([
    'POST',
    '/a?b=c',
    ['Host', 'plain.test', 'x-a', '1', 'Transfer-Encoding', 'chunked'],
  ]);
  client.destroy();
  server.close();
});

test('a great many words of Connection are not gone through once for each header', () => {
  const words = Array.from({ length: 3_500 }, (_, at) => at.toString(36)).join(',');
  const costOf = (headers: number): number => {
    const head = request('GET / HTTP/1.1', 'Host: plain.test', `Connection: ${words}`, ...Array<string>(headers).fill('zzz: b'));
    const began = cpuMs();
    for (let count = 0; count < 100; count++) writeRequestHead(head, to);
    return cpuMs() - began;
  };
  costOf(1);
  expect(costOf(120) / costOf(1)).toBeLessThan(2.5);
});
