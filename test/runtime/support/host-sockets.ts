// Stands where the policy proxy will: real sockets in a folder, which take what a gate hands over, or read PROXY v2 where it relays, and answer
// with the destination that they were told.
// Upstream network is one of the edges where a stand-in may stand: nothing here goes on to anywhere.
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, Socket } from 'node:net';
import { join } from 'node:path';
import { openHandedDoor } from '../../../sandbox-engine/egress/handed-door.ts';
import { nativeSockets } from '../../../sandbox-engine/egress/native-sockets.ts';
import { readProxyHeader } from '../../../sandbox-engine/egress/read-proxy-header.ts';

export interface HostSockets {
  /** `ip:port` of each connection, as the relay told it. */
  destinations: string[];
  /** Names that were asked for. */
  names: string[];
  /** Open connections now. */
  open: () => number;
  close: () => Promise<void>;
}

/** Says where the connection was meant to go, then sends back whatever comes. */
const answerFor = (socket: Socket, destination: string, destinations: string[]): void => {
  destinations.push(destination);
  socket.write(`to ${destination}\n`);
  socket.on('error', () => socket.destroy());
  socket.pipe(socket);
};

const answerConnection = (socket: Socket, destinations: string[]): void => {
  let held = Buffer.alloc(0);
  const onData = (bytes: Buffer): void => {
    held = Buffer.concat([held, bytes]);
    const read = readProxyHeader(held);
    if (read.state === 'more') return;
    socket.off('data', onData);
    if (read.state === 'bad') return void socket.destroy(new Error(read.detail));
    const rest = held.subarray(read.headerBytes);
    if (rest.length > 0) socket.unshift(rest);
    answerFor(socket, `${read.destination.ip}:${read.destination.port}`, destinations);
  };
  socket.on('data', onData);
  socket.on('error', () => socket.destroy());
};

const nameOf = (question: Buffer): string => {
  const labels: string[] = [];
  for (let at = 12; question[at] !== 0 && question[at] !== undefined; at += 1 + (question[at] ?? 0)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.');
};

/** One address record, whatever was asked. */
const answerTo = (question: Buffer): Buffer => {
  const answer = Buffer.concat([question, Buffer.from('c00c000100010000000500' + '04c6120002', 'hex')]);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(1, 6);
  answer.writeUInt16BE(0, 10);
  const framed = Buffer.alloc(2 + answer.length);
  framed.writeUInt16BE(answer.length);
  answer.copy(framed, 2);
  return framed;
};

const answerNames = (socket: Socket, names: string[]): void => {
  let held = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const length = held.readUInt16BE(0);
      const question = Buffer.from(held.subarray(2, 2 + length));
      held = held.subarray(2 + length);
      names.push(nameOf(question));
      socket.write(answerTo(question));
    }
  });
};

const listen = async (server: Server, path: string): Promise<void> => {
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, backlog: 1024 }, resolve);
  });
  await chmod(path, 0o666);
};

/**
 * Listens in the folder until it is closed; `close` takes the sockets away, as a host that ended. With `takesSockets` false it is a host
 * that can only be relayed to.
 */
export const openHostSockets = async (folder: string, { takesSockets = true } = {}): Promise<HostSockets> => {
  await mkdir(folder, { recursive: true });
  const destinations: string[] = [];
  const names: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = createServer({ allowHalfOpen: true }, (socket) => answerConnection(socket, destinations)).on('connection', keep);
  const dns = createServer((socket) => answerNames(socket, names)).on('connection', keep);
  await Promise.all([listen(proxy, join(folder, 'proxy.sock')), listen(dns, join(folder, 'dns.sock'))]);
  const opened = (handle: object): Socket => {
    const socket = new Socket({ handle, allowHalfOpen: true } as object);
    keep(socket);
    return socket;
  };
  const native = takesSockets ? nativeSockets() : null;
  const hands =
    native === null
      ? null
      : await openHandedDoor({
          path: join(folder, 'hand.sock'),
          native,
          serve: {
            proxy: (handle) => {
              const { ip, port } = handle.destination ?? { ip: 'nowhere', port: 0 };
              answerFor(opened(handle), `${ip}:${port}`, destinations);
            },
            names: (handle) => answerNames(opened(handle), names),
          },
        });
  return {
    destinations,
    names,
    open: () => sockets.size,
    close: async () => {
      await hands?.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([proxy, dns].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
};
