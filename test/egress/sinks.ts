// Servers of the public network of a test: each writes down what reached it, and answers TLS greetings, HTTP requests and the rest in a way
// that names it. No TLS is spoken: what matters is whose server got the bytes.
import { createServer, type Server, type Socket } from 'node:net';

export interface Sink {
  name: string;
  port: number;
  /** Connections that were made to it. */
  connections: () => number;
  /** All bytes that reached it, as latin1. */
  received: () => string;
  /** Calls once, when the next bytes have come. */
  onBytes: (call: () => void) => void;
  /** Open sockets, newest last. */
  sockets: Socket[];
  close: () => Promise<void>;
}

/** What a sink does with bytes; by default it answers so that a client sees who answered. */
export type SinkAnswer = (socket: Socket, bytes: Buffer) => void;

const bodyEnd = '\r\n\r\n';

const answerHttp = (name: string, text: string): string => {
  const requests = text.split(bodyEnd).length - 1;
  const isUpgrade = /^upgrade: websocket/im.test(text);
  const body = `http:${name}\n`;
  const one = isUpgrade
    ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
    : `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return one.repeat(Math.max(1, requests));
};

/** Says who it is, in the protocol of the first bytes. */
export const sayName =
  (name: string): SinkAnswer =>
  (socket, bytes) => {
    if (bytes[0] === 0x16) socket.write(`tls:${name}\n`);
    else if (/^[A-Z]+ \S+ HTTP/.test(bytes.toString('latin1', 0, 200))) socket.write(answerHttp(name, bytes.toString('latin1')));
    else socket.write(`tcp:${name}\n`);
  };

const listen = (server: Server, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });

/** Starts one, on a port of its own unless one is wanted. */
export const startSink = async (name: string, answer: SinkAnswer = sayName(name), address = '127.0.0.1', wanted = 0): Promise<Sink> => {
  const sockets: Socket[] = [];
  let connections = 0;
  let received = '';
  let calls: (() => void)[] = [];
  const server = createServer((socket) => {
    connections += 1;
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1));
    socket.on('data', (bytes) => {
      if (received.length < 1_000_000) received += bytes.toString('latin1');
      answer(socket, bytes);
      const due = calls;
      calls = [];
      for (const call of due) call();
    });
  });
  await listen(server, address, wanted);
  return {
    name,
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    received: () => received,
    onBytes: (call) => void calls.push(call),
    sockets,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
