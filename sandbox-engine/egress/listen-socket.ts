// Listens at a path or a port and hands on each accepted connection as the bare handle, so that its end can read into shared memory (see leg.ts).
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

/** Starts to listen at a path, or at an address and a port. @throws internal */
export const listenAt = async (
  place: { path: string } | { host: string; port: number },
  onHandle: (handle: Handle) => void,
): Promise<Listener> => {
  const server = createServer();
  const name = 'path' in place ? place.path : `${place.host}:${place.port}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new SandlotError('internal', `The socket ${name} could not be opened: ${cause.message}.`, { cause })),
    );
    server.listen({ ...place, backlog }, resolve);
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
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
};

/** Starts to listen; a left-over of an earlier process is replaced. Everyone who can reach the folder may connect. @throws internal */
export const listenSocket = async (path: string, onHandle: (handle: Handle) => void): Promise<Listener> => {
  await rm(path, { force: true });
  const listener = await listenAt({ path }, onHandle);
  await chmod(path, 0o666);
  return listener;
};
