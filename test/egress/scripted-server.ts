// An HTTP server that answers in every right and wrong way.
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

/** A body that fits into no buffer. */
export const bigBody = randomBytes(3_000_000);
/** Of bytes, or of a text that stands for bytes. */
export const sha256 = (bytes: Buffer | string): string =>
  createHash('sha256')
    .update(Buffer.from(bytes as string, 'latin1'))
    .digest('hex');
const ok = (body: string, more = ''): string => `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

/** What a server answers at each path; others are left without an answer. */
const scripts: Record<string, (socket: Socket, text: string) => void> = {
  '/hello': (socket) => socket.write(ok('hello')),
  '/big': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bigBody.length}\r\n\r\n`);
    socket.write(bigBody);
  },
  '/chunks': (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'),
  '/until-close': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'),
  '/cut': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
  '/metadata': (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
  '/099': (socket) => socket.write('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'),
  '/wide': (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(1_048_576)}\r\n\r\n`),
  '/nul': (socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\r\n'),
  '/interims': (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(10_000)),
  '/two-lengths': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'),
  '/unasked-switch': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
  '/hints': (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok('hello')}`),
  '/no-content': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  '/early': (socket) => socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
  '/leaves': (socket) => socket.destroy(),
};

const received = new Map<Socket, string>();

/** Answers each request once it is whole, by its path; `/digest` says the body's SHA-256, `/echo` the request. */
export const scripted = (socket: Socket, bytes: Buffer): void => {
  const text = (received.get(socket) ?? '') + bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const path = /^\S+ (\S+) /.exec(text)?.[1] ?? '';
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  const isWhole =
    end !== -1 && (path === '/early' || (text.includes('chunked') ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + length));
  received.set(socket, isWhole ? '' : text);
  if (isWhole && path === '/digest') socket.write(ok(sha256(text.slice(end + 4))));
  else if (isWhole && path === '/echo') socket.write(ok(text));
  else if (isWhole) scripts[path]?.(socket, text);
};
