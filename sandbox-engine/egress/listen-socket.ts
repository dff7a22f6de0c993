// Listens at a path, at a port or on a socket that is there, and hands on each accepted connection as the bare handle, so that its end can
// read into shared memory (see leg.ts).
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { SandlotError } from '../base/errors.ts';

/** An accepted connection that nobody reads yet. */
export interface Handle {
  close: () => void;
  /** Where it was made to, where that is known without asking its first bytes. */
  destination?: { ip: string; port: number };
}

/** As node:net makes it; `fd` is missing where it has none. */
export interface AcceptedHandle extends Handle {
  fd?: number;
  setNoDelay?: (on: boolean) => void;
}

export interface Listener {
  /** Takes the socket away; open connections stay. */
  close: () => Promise<void>;
}

type OnConnection = (status: number, handle: AcceptedHandle | undefined) => void;

type Place = { path: string } | { host: string; port: number } | { fd: number };

const nameOf = (place: Place): string => ('path' in place ? place.path : 'fd' in place ? 'of a gate' : `${place.host}:${place.port}`);

// More would let one sandbox hold up the others while its connections are taken in.
const backlog = 256;

/** Starts to listen at a path, at an address and a port, or on a socket, which is then the listener's. @throws internal */
export const listenAt = async (place: Place, onHandle: (handle: AcceptedHandle) => void): Promise<Listener> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new SandlotError('internal', `The socket ${nameOf(place)} could not be opened: ${cause.message}.`, { cause })),
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
    if (status !== 0 || handle === undefined) return;
    handle.setNoDelay?.(true);
    onHandle(handle);
  };
  server.on('error', () => undefined);
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
};

/** Starts to listen; a left-over of an earlier process is replaced. Everyone who can reach the folder may connect. @throws internal */
export const listenSocket = async (path: string, onHandle: (handle: AcceptedHandle) => void): Promise<Listener> => {
  await rm(path, { force: true });
  const listener = await listenAt({ path }, onHandle);
  await chmod(path, 0o666);
  return listener;
};
