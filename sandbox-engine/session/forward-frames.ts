// What the host and the program of forwards say to each other: a kind, the number of a connection, a length, and that many bytes.
// Knows no connection. What comes from inside is the sandbox's word, so a frame has a largest size.
import { SandlotError } from '../base/errors.ts';

/** `open` is answered by `open`; `credit` gives back room in a window; `reset` carries why. */
export const frameKinds = { open: 0, bytes: 1, end: 2, reset: 3, credit: 4 } as const;

/** How many bytes of one connection may be under way in one direction. */
export const windowBytes = 262_144;

const headBytes = 7;
const mostInOne = 65_536;

export interface ForwardFrame {
  kind: number;
  channel: number;
  bytes: Buffer;
}

const nothing = Buffer.alloc(0);

/** One frame; not more than 65,536 bytes go into one. */
export const forwardFrame = (kind: keyof typeof frameKinds, channel: number, bytes: Uint8Array = nothing): Buffer => {
  const whole = Buffer.allocUnsafe(headBytes + bytes.length);
  whole[0] = frameKinds[kind];
  whole.writeUInt16BE(channel, 1);
  whole.writeUInt32BE(bytes.length, 3);
  whole.set(bytes, headBytes);
  return whole;
};

/** The bytes of one connection as frames, however many they are. */
export const byteFrames = (channel: number, bytes: Buffer): Buffer[] => {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += mostInOne) frames.push(forwardFrame('bytes', channel, bytes.subarray(at, at + mostInOne)));
  return frames;
};

/** A number as the bytes of `open` (a port, 16 bits) or `credit` (32 bits). */
export const numberBytes = (value: number, size: 2 | 4): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

/** How long the frame that begins there is; null while its head is not all there. @throws stream_broken */
const lengthAt = (all: Buffer, at: number): number | null => {
  if (all.length - at < headBytes) return null;
  const length = all.readUInt32BE(at + 3);
  if (length > mostInOne) throw new SandlotError('stream_broken', 'The forward of a sandbox said something that makes no sense.');
  return headBytes + length;
};

/** Splits what comes from inside into frames, however it was cut. @throws stream_broken for a frame that nobody sends */
export const createForwardReader = (): ((bytes: Buffer) => ForwardFrame[]) => {
  // Pieces of a frame wait here until all of it is there: joined with each piece, a frame that comes byte by byte would be copied as often.
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wanted = headBytes;
  const hold = (bytes: Buffer): void => {
    if (bytes.length > 0) held.push(bytes);
    heldBytes += bytes.length;
  };
  const cut = (all: Buffer): ForwardFrame[] => {
    const frames: ForwardFrame[] = [];
    let at = 0;
    wanted = headBytes;
    for (let length = lengthAt(all, at); length !== null; length = lengthAt(all, at)) {
      wanted = length;
      if (all.length - at < length) break;
      frames.push({ kind: all[at] ?? 0, channel: all.readUInt16BE(at + 1), bytes: all.subarray(at + headBytes, at + length) });
      at += length;
      wanted = headBytes;
    }
    hold(Buffer.from(all.subarray(at)));
    return frames;
  };
  return (bytes) => {
    if (heldBytes === 0) return cut(bytes);
    hold(bytes);
    if (heldBytes < wanted) return [];
    const all = Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    return cut(all);
  };
};
