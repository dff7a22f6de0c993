// Packs folders of this machine into tar streams, in threads of their own: neither the disk nor the work holds up what the host does else.
// A thread that has packed one folder waits for the next: starting it, and its first run of everything, is more work than packing.
import { on } from 'node:events';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/start-thread.ts';
import type { PackMessage, PackOrder } from './pack-thread.ts';
import type { Packed, PackRequest } from './read-folder.ts';

export interface PackedFolder {
  /** In pieces of a size that travels well. Whoever opens it reads it to its end or destroys it. */
  tar: Readable;
  /** What was packed until now. */
  count: () => { files: number; bytes: number };
  /** What could not be read, or is no file, folder or link; known when the stream has ended. */
  leftOut: () => string[];
}

type PackOptions = Partial<Omit<PackRequest, 'from'>>;

/** How it packs, and what waits for more. */
export interface Packer {
  /** Packs everything below the folder. @throws from the stream when the folder itself cannot be read */
  pack: (from: string, options?: PackOptions) => PackedFolder;
  /** A folder is about to be packed: a thread may start. */
  prepare: () => void;
  /** Nothing waits any more; what is being packed goes on. */
  close: () => void;
}

const root = { uid: 0, gid: 0 };

/** How long a thread waits for another folder. */
const restMs = 600_000;

async function* sheetsOf(
  messages: AsyncIterable<PackMessage[]>,
  taken: Int32Array,
  tell: (message: PackMessage) => void,
): AsyncGenerator<Buffer> {
  for await (const [message] of messages) {
    if (message === undefined) return;
    tell(message);
    if (message.sheet === null) return;
    yield Buffer.from(message.sheet.buffer, message.sheet.byteOffset, message.sheet.length);
    Atomics.add(taken, 0, 1);
    Atomics.notify(taken, 0);
  }
  throw new Error('The thread that packs the folder ended before its end.');
}

/** Where a thread waits: one at most, and it keeps no process alive. */
const createRest = () => {
  let resting: { thread: Worker; over: NodeJS.Timeout } | null = null;
  let isClosed = false;
  const take = (): Worker | null => {
    if (resting === null) return null;
    const { thread, over } = resting;
    resting = null;
    clearTimeout(over);
    thread.ref();
    return thread;
  };
  const end = (): void => void take()?.terminate();
  const start = (): Worker => {
    const thread = startThread(import.meta.url, 'pack-thread', null);
    // What it says after nobody reads any more.
    thread.on('error', () => undefined);
    thread.once('exit', () => resting?.thread === thread && take());
    return thread;
  };
  return {
    take: () => take() ?? start(),
    isEmpty: () => resting === null,
    give: (thread: Worker): void => {
      if (resting !== null || isClosed) return void thread.terminate();
      thread.unref();
      resting = { thread, over: setTimeout(end, restMs).unref() };
    },
    close: (): void => {
      isClosed = true;
      end();
    },
  };
};

/** Makes one that has no thread yet. */
export const createPacker = (): Packer => {
  const rest = createRest();
  const pack: Packer['pack'] = (from, { prefix = '', hasPrefixFolders = false, owner = root, leaveIgnored = false, only = 'all' } = {}) => {
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const thread = rest.take();
    // Listens from now on: what comes before somebody reads waits.
    const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterable<PackMessage[]>;
    thread.postMessage({ request: { from, prefix, hasPrefixFolders, owner, leaveIgnored, only }, taken } satisfies PackOrder);
    let [packed, isOver]: [Packed, boolean] = [{ files: 0, bytes: 0, leftOut: [] }, false];
    const tell = (message: PackMessage): void => {
      packed = message.packed;
      isOver = message.sheet === null;
    };
    const tar = Readable.from(sheetsOf(messages, taken, tell));
    tar.once('close', () => (isOver ? rest.give(thread) : void thread.terminate()));
    return { tar, count: () => packed, leftOut: () => packed.leftOut };
  };
  return {
    pack,
    prepare: () => {
      if (rest.isEmpty()) rest.give(rest.take());
    },
    close: rest.close,
  };
};

/** Packs one folder, with a thread for it alone. @throws from the stream when the folder itself cannot be read */
export const packFolder: Packer['pack'] = (from, options) => {
  const packer = createPacker();
  const packed = packer.pack(from, options);
  packer.close();
  return packed;
};
