// Which address a browser is given for a port, and what its server has to bear for the answer.
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { guessUrl } from '../../../sandbox-engine/session/guess-url.ts';
import { certificate, key } from '../egress/test-certificate.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const guessed = async (server: Server, inside = 3000): Promise<string> =>
  (await guessUrl(inside, await listen(server))).split(':')[0] ?? '';

/** What a plain server hears, and what it cannot read. */
const plain = (status = 200) => {
  const heard: string[] = [];
  const server = createHttp((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(status).end();
  });
  server.on('clientError', (_, socket) => {
    heard.push('garbage');
    socket.destroy();
  });
  return { heard, server };
};
const encrypted = () => createTls({ cert: certificate, key }, (socket) => socket.end());

test.each([200, 404, 405, 500])('a plain server that answers %d is asked once, and hears nothing that it cannot read', async (status) => {
  const { server, heard } = plain(status);
  expect([await guessed(server), heard]).toEqual(['http', ['HEAD /']]);
});

test('a server of TLS is opened as one, also one that answers plain HTTP that it wants TLS', async () => {
  const behind = await listen(encrypted());
  const polite = createServer((socket) => {
    socket.once('data', (first) => {
      if (first[0] !== 0x16) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.');
      const on = connect(behind, '127.0.0.1');
      on.write(first);
      return socket.pipe(on).pipe(socket);
    });
  });
  expect([await guessed(encrypted()), await guessed(polite)]).toEqual(['https', 'https']);
});

test('a plain server that finds fault with the question stays one', async () => {
  expect(await guessed(plain(400).server)).toBe('http');
});

test('one that says nothing in time is what its number says, and is not asked in another way', async () => {
  const firsts: number[] = [];
  const silent = () => createServer((socket) => socket.on('data', (bytes) => firsts.push(bytes[0] ?? 0)));
  expect(await Promise.all([guessed(silent()), guessed(silent(), 8443)])).toEqual(['http', 'https']);
  expect(firsts.map((byte) => String.fromCharCode(byte))).toEqual(['H', 'H']);
});

test('where nothing answers at all, it is plain', async () => {
  expect(await guessed(createServer((socket) => socket.destroy()))).toBe('http');
});
