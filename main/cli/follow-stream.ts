// Reads a stream as it grows: pulled by offset, woken by the host's nudges. The same for build logs, execs and terminals.
import type { CommandContext } from './command-context.ts';

const maxBytes = 262_144;
/** A nudge may be lost when this client was slow: then it looks again after this time. */
const lookAgainMs = 1000;

export interface FollowOptions {
  onBytes: (bytes: Buffer) => Promise<void> | void;
  from?: number;
  /** Ends the following; what is there is still read to its end when `drain` says so. */
  signal?: AbortSignal;
}

/** Writes to a stream and waits while the reader at the other end is slow. */
export const writeAll = async (stream: NodeJS.WriteStream, bytes: Buffer): Promise<void> => {
  if (!stream.write(bytes)) await new Promise((resolve) => stream.once('drain', resolve));
};

/** Reads the stream to its end. */
export const followStream = async (
  context: CommandContext,
  streamId: string,
  { onBytes, from = 0, signal }: FollowOptions,
): Promise<void> => {
  let wake: () => void = () => undefined;
  let isNews = false;
  const nudge = (): void => {
    isNews = true;
    wake();
  };
  const unsubscribe = await context.hear((event) => event.name === 'stream.grew' && event.payload.stream_id === streamId && nudge());
  signal?.addEventListener('abort', nudge);
  try {
    for (let next = from; ; ) {
      isNews = false;
      const slice = await context.ask('stream.read', { stream_id: streamId, from: next, max_bytes: maxBytes });
      if (slice.next > slice.from) await onBytes(Buffer.from(slice.data, 'base64'));
      const hasMore = slice.next < slice.size;
      next = slice.next;
      if (!hasMore && (slice.ended || signal?.aborted === true)) return;
      if (hasMore || isNews) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookAgainMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    unsubscribe();
    signal?.removeEventListener('abort', nudge);
  }
};
