// What an end does with its socket past node:net and libuv: reads into memory of others, and takes and gives at once what the kernel has and takes.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type Held, nativeSockets } from './native-sockets.ts';

/** What node:net knows of a socket and does not document; absent parts are done without. */
interface Insides {
  _handle?: { fd?: number; reading?: boolean } | null;
}

export interface OnRead {
  /** Asked for the memory of the next read. */
  buffer: () => Buffer;
  /** Takes what was read into it; answers whether to read on. */
  callback: (count: number, buffer: Uint8Array) => boolean;
}

const handleOf = (socket: Socket): Insides['_handle'] => (socket as unknown as Insides)._handle;

/** A socket that reads so, of an accepted connection by its handle, else of one that is yet to be connected. */
export const makeSocket = (handle: unknown, onread: OnRead): Socket =>
  // A handle of its own and reads into given memory are what an accepted socket of node:net cannot have otherwise.
  new Socket({ handle, allowHalfOpen: true, onread, noDelay: true, manualStart: true } as object);

export const isReading = (socket: Socket): boolean => handleOf(socket)?.reading === true;

/** Reads what is there already; 0 or less when that is nothing. */
export const receiveAtOnce = (socket: Socket, buffer: Buffer): number => {
  const fd = handleOf(socket)?.fd ?? -1;
  return fd < 0 ? 0 : (nativeSockets()?.receive(fd, buffer) ?? 0);
};

/**
 * Answers how much the kernel took, so that the memory is free again when this returns; less than 0 when the socket is broken. Only by a handle
 * that is open at this moment: its number cannot be another's.
 */
export const writeAtOnce = (socket: Socket, bytes: Buffer): number => {
  const fd = handleOf(socket)?.fd ?? -1;
  if (fd < 0) return 0;
  try {
    return writeSync(fd, bytes, 0, bytes.length);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : -1;
  }
};

/** What waits in the kernel at this end; null where it cannot be asked. */
export const heldBySocket = (socket: Socket): Held | null => {
  const native = nativeSockets();
  if (native === null) return null;
  const fd = handleOf(socket)?.fd ?? -1;
  return fd < 0 ? { come: 0, toGo: 0 } : native.heldBy(fd);
};

const narrowed = new WeakMap<Socket, number>();

/** Lets no more than so much wait in the kernel each way from now on, where that can be said; never more than it was told before. */
export const narrowSocket = (socket: Socket, bytes: number): void => {
  const fd = handleOf(socket)?.fd ?? -1;
  if (fd < 0 || bytes >= (narrowed.get(socket) ?? Number.POSITIVE_INFINITY)) return;
  nativeSockets()?.narrow(fd, bytes);
  narrowed.set(socket, bytes);
};

/** Has what waits in the kernel go with the end when that is closed: it would stay until the peer takes it. */
export const forsakeSocket = (socket: Socket): void => {
  const fd = handleOf(socket)?.fd ?? -1;
  if (fd >= 0) nativeSockets()?.forsake(fd);
};
