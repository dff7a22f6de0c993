// One port of this machine, on 127.0.0.1 and nowhere else, that leads into a sandbox. Opens it, counts who is connected, closes it.
import { createServer, type Server, type Socket } from 'node:net';
import { SandlotError } from '../base/errors.ts';

export interface ForwardListener {
  localPort: number;
  connections: () => number;
  /** Ends all that is connected. */
  close: () => Promise<void>;
}

/** Who is connected takes what this machine gives a program: half-open ends, no delay. */
const makeServer = (join: (socket: Socket) => void, sockets: Set<Socket>, onChange: () => void): Server =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      onChange();
    });
    socket.on('error', () => undefined);
    onChange();
    join(socket);
  });

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.removeListener('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });

const takenCodes = new Set(['EADDRINUSE', 'EACCES', 'EPERM']);

const isTaken = (thrown: unknown): boolean => takenCodes.has((thrown as NodeJS.ErrnoException).code ?? '');

const refused = (port: number, cause: unknown): SandlotError =>
  new SandlotError('already_exists', `Port ${port} of this machine is in use, or this user may not open it.`, {
    cause,
    nextAction: 'Name another one, or none: then a free one is taken.',
  });

export interface ListenerRequest {
  /** Tried first. */
  wanted: number;
  /** No other one will do. */
  isExact: boolean;
  join: (socket: Socket) => void;
  /** Somebody came or went. */
  onChange: () => void;
}

/** Opens the wanted port, or any free one. @throws already_exists when only the wanted one will do */
export const openForwardListener = async ({ wanted, isExact, join, onChange }: ListenerRequest): Promise<ForwardListener> => {
  const sockets = new Set<Socket>();
  const server = makeServer(join, sockets, onChange);
  await listen(server, wanted).catch(async (thrown: unknown) => {
    if (!isTaken(thrown)) throw thrown;
    if (isExact) throw refused(wanted, thrown);
    await listen(server, 0);
  });
  const address = server.address();
  return {
    localPort: typeof address === 'object' && address !== null ? address.port : wanted,
    connections: () => sockets.size,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
