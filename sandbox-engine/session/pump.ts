// Carries the output of a process into streams. Waits for the disk and for lagging readers, but not for every small piece.
import type { OutputChunk } from '../container/container-runtime.ts';
import type { StreamWriter } from '../stream/stream.ts';

const mostUnderway = 262_144;

/** Answers a promise only when so much is under way that the sender must wait. */
export const createPace = (): ((written: Promise<void>, length: number) => Promise<void> | undefined) => {
  let underway = 0;
  return (written, length) => {
    underway += length;
    if (underway < mostUnderway) return undefined;
    underway = 0;
    return written;
  };
};

/** Ends when the output does; a stream that broke off ends it as well, with a note in the stream. @throws disk_full */
export const pump = async (
  output: AsyncIterable<OutputChunk>,
  writerOf: (stream: OutputChunk['stream']) => StreamWriter,
): Promise<void> => {
  const pace = createPace();
  for await (const { stream, bytes } of output) {
    const wait = pace(writerOf(stream).append(bytes), bytes.length);
    if (wait !== undefined) await wait;
  }
};
