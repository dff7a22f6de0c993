// The newest bytes of a stream in memory: those that wait to be written, and a little more so that readers seldom touch the disk.
// Copies what it is given, so the caller may reuse its buffer at once.

export interface TailMemory {
  push: (bytes: Uint8Array) => void;
  /** Offset after the newest byte. */
  end: () => number;
  /** The bytes from `from` on that lie in one piece, at most `maxBytes`; null when `from` is no longer in memory. */
  view: (from: number, maxBytes: number) => Buffer | null;
  /** All bytes of the range, joined; null when its beginning is no longer in memory. */
  slice: (from: number, to: number) => Buffer | null;
  /** Lets go of whole blocks that end at or before the offset. */
  forget: (before: number) => void;
}

interface Block {
  start: number;
  used: number;
  bytes: Buffer;
}

const smallestBlock = 4_096;
const largestBlock = 262_144;

/** Makes an empty memory whose first byte will have the offset `start`. */
export const createTailMemory = (start: number): TailMemory => {
  const blocks: Block[] = [];
  let end = start;

  const roomyBlock = (wanted: number): Block => {
    const last = blocks.at(-1);
    if (last !== undefined && last.used < last.bytes.length) return last;
    const size = Math.min(largestBlock, Math.max(smallestBlock, (last?.bytes.length ?? 0) * 2, wanted));
    const block = { start: end, used: 0, bytes: Buffer.allocUnsafe(size) };
    blocks.push(block);
    return block;
  };

  const view = (from: number, maxBytes: number): Buffer | null => {
    const block = blocks.findLast((candidate) => candidate.start <= from);
    if (block === undefined) return null;
    const at = from - block.start;
    return block.bytes.subarray(at, Math.min(block.used, at + maxBytes));
  };

  return {
    end: () => end,
    push: (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const block = roomyBlock(bytes.length - at);
        const length = Math.min(bytes.length - at, block.bytes.length - block.used);
        block.bytes.set(length === bytes.length ? bytes : bytes.subarray(at, at + length), block.used);
        block.used += length;
        end += length;
        at += length;
      }
    },
    view,
    slice: (from, to) => {
      const parts: Buffer[] = [];
      for (let at = from; at < to; ) {
        const part = view(at, to - at);
        if (part === null || part.length === 0) return null;
        parts.push(part);
        at += part.length;
      }
      // What a block holds is never written over, so its own bytes may leave as they are.
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },
    forget: (before) => {
      while (blocks.length > 1 && (blocks[0] as Block).start + (blocks[0] as Block).used <= before) blocks.shift();
    },
  };
};
