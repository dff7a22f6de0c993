// A stream: bytes that only grow, kept in files, read by offset by as many readers as like. Build logs, setup logs and terminals.

export interface StreamOptions {
  /** What stays when more than `maxBytes` was written: `head` drops what comes later, `tail` forgets the oldest. */
  keep: 'head' | 'tail';
  maxBytes: number;
  /** What is appended has been masked already, or is no text. Else the store masks secrets before it keeps or tells anything. */
  plain?: boolean;
}

export interface StreamSlice {
  bytes: Buffer;
  /** Offset of the first byte in `bytes`: later than asked when the beginning was forgotten. */
  from: number;
  next: number;
  /** Oldest offset still kept. */
  start: number;
  size: number;
  ended: boolean;
}

export interface StreamWriter {
  id: string;
  size: () => number;
  /** Queues the bytes in order; the promise is the back-pressure: it resolves when they may be forgotten by the caller.
   * It also waits while a reader that is watching lags too far behind. @throws disk_full */
  append: (bytes: Uint8Array) => Promise<void>;
  /** All is on disk and readable; no more will come. */
  end: () => Promise<void>;
}

export interface StreamStore {
  create: (id: string, options: StreamOptions) => Promise<StreamWriter>;
  /** Goes on writing after a restart of the host, at the end of what is there. */
  reopen: (id: string, options: StreamOptions) => Promise<StreamWriter>;
  /** @throws not_found */
  read: (id: string, from: number, maxBytes: number) => Promise<StreamSlice>;
  /** Resolves when the stream has grown beyond `size`, has ended, or the time is over. */
  waitForGrowth: (id: string, size: number, timeoutMs: number) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Ids on disk, so that those nobody knows can be removed. */
  list: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Told after each growth; `chunk` are the newest bytes when they are few enough to be sent along. */
export type OnGrew = (grown: { streamId: string; size: number; ended: boolean; from?: number; chunk?: Buffer }) => void;
