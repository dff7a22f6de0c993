// Carries the output of a process into streams. Waits for the disk and for lagging readers, but not for every small piece.
import type { OutputChunk } from '../container/container-runtime.ts';
import type { StreamWriter } from '../stream/stream.ts';

const mostUnderway = 262_144;

/** Ends when the output does; a stream that broke off ends it as well, with a note in the stream. @throws disk_full */
export const pump = async (
  output: AsyncIterable<OutputChunk>,
  writerOf: (stream: OutputChunk['stream']) => StreamWriter,
): Promise<void> => {
  let underway = 0;
  for await (const { stream, bytes } of output) {
    const taken = writerOf(stream).append(bytes);
    underway += bytes.length;
    if (underway < mostUnderway) continue;
    underway = 0;
    await taken;
  }
};
