// Reads a socket at the reader's pace and remembers how it ended, even when nobody was reading then. Knows no protocol.
import type { Readable } from 'node:stream';

const highWater = 256 * 1024;

/** What takes each piece; a promise that it answers holds the sender back until it resolves. */
export type Take = (bytes: Buffer) => Promise<void> | undefined;

export interface SocketReader extends AsyncIterable<Buffer> {
  /** Resolves when the socket has ended, whoever reads it. */
  ended: Promise<void>;
  /** Instead of the loop: hands over what waits and then each piece in the turn in which it arrives. Resolves at the end. */
  each: (take: Take) => Promise<void>;
}

interface Inbox {
  queue: Buffer[];
  held: number;
  over: boolean;
  wake: () => void;
}

/** A listener must not throw: what goes wrong ends the reading. */
const attempt = (take: Take, bytes: Buffer): Promise<void> | undefined => {
  try {
    return take(bytes);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
};

/** Gives up the loop for calls: pieces that come while an earlier one is being waited for stay in the queue. */
const handOver = async (socket: Readable, inbox: Inbox, take: Take): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    let isWaiting = false;
    const drain = (): void => {
      while (!isWaiting && inbox.queue.length > 0) {
        const bytes = inbox.queue.shift() as Buffer;
        inbox.held -= bytes.length;
        const taken = attempt(take, bytes);
        if (taken === undefined) continue;
        isWaiting = true;
        socket.pause();
        taken.then(() => {
          isWaiting = false;
          if (inbox.held <= highWater / 2) socket.resume();
          drain();
        }, reject);
      }
      if (!isWaiting && inbox.over) resolve();
    };
    inbox.wake = drain;
    drain();
  });
};

/** Listens from the moment it is called; more than 256 KiB are never held, so that a slow reader slows the sender.
 * A reset ends it after the bytes that had arrived; `onBroken` tells that it was not a clean end. Leaving the loop closes the socket. */
export const readSocket = (socket: Readable, onBroken: (cause: Error) => void): SocketReader => {
  const inbox: Inbox = { queue: [], held: 0, over: false, wake: () => undefined };
  let markEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const finish = (): void => {
    inbox.over = true;
    markEnded();
    inbox.wake();
  };
  socket.on('data', (bytes: Buffer) => {
    inbox.queue.push(bytes);
    inbox.held += bytes.length;
    if (inbox.held > highWater) socket.pause();
    inbox.wake();
  });
  socket.on('end', finish);
  socket.on('close', finish);
  socket.on('error', (cause: Error) => {
    onBroken(cause);
    finish();
  });
  const next = async (): Promise<IteratorResult<Buffer>> => {
    while (inbox.queue.length === 0 && !inbox.over) {
      await new Promise<void>((resolve) => {
        inbox.wake = resolve;
      });
    }
    const bytes = inbox.queue.shift();
    if (bytes === undefined) return { done: true, value: undefined };
    inbox.held -= bytes.length;
    if (inbox.held <= highWater / 2 && socket.isPaused()) socket.resume();
    return { done: false, value: bytes };
  };
  const leave = async (): Promise<IteratorResult<Buffer>> => {
    socket.destroy();
    return { done: true, value: undefined };
  };
  return { ended, each: (take) => handOver(socket, inbox, take), [Symbol.asyncIterator]: () => ({ next, return: leave }) };
};
