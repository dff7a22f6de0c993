// Reads a socket at the reader's pace and remembers how it ended, even when nobody was reading then. Knows no protocol.
import type { Readable } from 'node:stream';

const highWater = 256 * 1024;

/** Listens from the moment it is called; more than 256 KiB are never held, so that a slow reader slows the sender.
 * A reset ends it after the bytes that had arrived; `onBroken` tells that it was not a clean end. Leaving the loop closes the socket. */
export const readSocket = (socket: Readable, onBroken: (cause: Error) => void): AsyncIterable<Buffer> & { ended: Promise<void> } => {
  const queue: Buffer[] = [];
  let held = 0;
  let over = false;
  let wake: () => void = () => undefined;
  let markEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const finish = (): void => {
    over = true;
    markEnded();
    wake();
  };
  socket.on('data', (bytes: Buffer) => {
    queue.push(bytes);
    held += bytes.length;
    if (held > highWater) socket.pause();
    wake();
  });
  socket.on('end', finish);
  socket.on('close', finish);
  socket.on('error', (cause: Error) => {
    onBroken(cause);
    finish();
  });
  const next = async (): Promise<IteratorResult<Buffer>> => {
    while (queue.length === 0 && !over) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const bytes = queue.shift();
    if (bytes === undefined) return { done: true, value: undefined };
    held -= bytes.length;
    if (held <= highWater / 2 && socket.isPaused()) socket.resume();
    return { done: false, value: bytes };
  };
  const leave = async (): Promise<IteratorResult<Buffer>> => {
    socket.destroy();
    return { done: true, value: undefined };
  };
  return { ended, [Symbol.asyncIterator]: () => ({ next, return: leave }) };
};
