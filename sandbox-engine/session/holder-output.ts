// Takes out of a terminal's output what dtach adds of its own: it clears the screen when it attaches and says so when the shell has ended.
import type { OutputChunk } from '../container/container-runtime.ts';

const greeting = Buffer.from('\x1b[H\x1b[J');
const farewell = Buffer.from('\x1b[999H\r\n[EOF - dtach terminating]\r\n\x1b[?25h');

/** How many bytes at the end of `bytes` could be the beginning of the farewell. */
const heldBack = (bytes: Buffer): number => {
  for (let length = Math.min(bytes.length, farewell.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(farewell.subarray(0, length))) return length;
  }
  return 0;
};

/** The bytes without the greeting, or null while they are too few to tell. */
const withoutGreeting = (bytes: Buffer): Buffer | null => {
  if (bytes.length >= greeting.length) return bytes.subarray(0, greeting.length).equals(greeting) ? bytes.subarray(greeting.length) : bytes;
  return greeting.subarray(0, bytes.length).equals(bytes) ? null : bytes;
};

/** Passes on what the shell itself printed. `onBegun` is called at the first byte: the holder passes on what is typed from there on. */
export async function* shellOutput(output: AsyncIterable<OutputChunk>, onBegun: () => void): AsyncGenerator<OutputChunk> {
  let isGreeted = false;
  let held = Buffer.alloc(0);
  for await (const { stream, bytes } of output) {
    let all: Buffer = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    if (!isGreeted) {
      onBegun();
      const rest = withoutGreeting(all);
      isGreeted = rest !== null;
      all = rest ?? all;
    }
    const keep = isGreeted ? heldBack(all) : all.length;
    held = Buffer.from(all.subarray(all.length - keep));
    if (keep < all.length) yield { stream, bytes: all.subarray(0, all.length - keep) };
  }
  if (held.length > 0 && held.length < farewell.length) yield { stream: 'stdout', bytes: held };
}
