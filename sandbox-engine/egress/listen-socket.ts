// Listens at a path and hands on each accepted connection as the bare handle, so that its end can read into shared memory (see leg.ts).
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { SandlotError } from '../base/errors.ts';

/** An accepted connection that nobody reads yet. */
export interface Handle {
  close: () => void;
}

export interface Listener {
  /** Takes the socket away; open connections stay. */
  close: () => Promise<void>;
}

type OnConnection = (status: number, handle: Handle | undefined) => void;

// More would let one sandbox hold up the others while its connections are taken in.
const backlog = 256;

/** Starts to listen; a left-over of an earlier process is replaced. Everyone who can reach the folder may connect. @throws internal */
export const listenSocket = async (path: string, onHandle: (handle: Handle) => void): Promise<Listener> => {
  await rm(path, { force: true });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new SandlotError('internal', `The socket ${path} could not be opened: ${cause.message}.`, { cause })),
    );
    server.listen({ path, backlog }, resolve);
  });
  const inside = (server as unknown as { _handle?: { onconnection?: OnConnection } | null })._handle;
  if (typeof inside?.onconnection !== 'function') {
    server.close();
    throw new SandlotError('internal', 'This version of Node accepts connections in a way that Sandlot does not know.');
  }
  // A failed accept (no descriptor left) is the peer's loss; the next one is tried.
  inside.onconnection = (status, handle) => {
    if (status === 0 && handle !== undefined) onHandle(handle);
  };
  server.on('error', () => undefined);
  await chmod(path, 0o666);
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
};
