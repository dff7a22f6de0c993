// One end of a relayed connection. Reads into memory that all ends share and writes at once what the kernel takes, so that an idle end
// holds no buffer and a busy one allocates none. Knows bytes, not protocols.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Turn, Turns } from './turns.ts';

/** Takes bytes that are only valid during the call; answers whether more may come. */
export type Sink = (bytes: Buffer) => boolean;

/** One end. Its fields are read by everyone and changed by the functions of this file only, but for the three handlers. */
export interface Leg {
  readonly socket: Socket;
  readonly turns: Turns;
  readonly turn: Turn;
  /** Bytes that came and that nobody has taken yet. */
  held: Buffer;
  sink: Sink | null;
  /** Looks at `held` again when bytes came; set while somebody reads. */
  wake: (() => void) | null;
  received: number;
  sent: number;
  /** Bytes that wait for the kernel to take them. */
  queued: number;
  /** The peer will send no more. */
  ended: boolean;
  closed: boolean;
  onDrain: (() => void) | null;
  onEnd: (() => void) | null;
  onClose: (() => void) | null;
}

/** What node:net knows of a socket and does not document; absent parts are done without. */
interface Insides {
  _handle?: { fd?: number; reading?: boolean } | null;
}

const nothing = Buffer.alloc(0);
const mostHeld = 64 * 1024;

const stopped = (leg: Leg, count: number): boolean =>
  leg.turns.count(leg.turn, count, () => {
    if (!leg.closed) leg.socket.read(0);
  });

// Answers whether the socket may go on reading.
const arrive = (leg: Leg, bytes: Buffer): boolean => {
  leg.received += bytes.length;
  if (leg.sink !== null) return leg.sink(bytes) && !stopped(leg, bytes.length);
  leg.held = Buffer.concat([leg.held, bytes]);
  leg.wake?.();
  return leg.held.length < mostHeld;
};

const close = (leg: Leg): void => {
  if (leg.closed) return;
  leg.closed = true;
  leg.ended = true;
  leg.onClose?.();
  leg.wake?.();
};

const end = (leg: Leg): void => {
  if (leg.ended) return;
  leg.ended = true;
  leg.onEnd?.();
  leg.wake?.();
};

/** Makes an end: of an accepted connection by its handle, else of one that is yet to be connected by its `socket`. */
export const createLeg = (turns: Turns, handle?: unknown): Leg => {
  const onread = {
    buffer: turns.buffer,
    callback: (count: number, buffer: Uint8Array): boolean => arrive(leg, (buffer as Buffer).subarray(0, count)),
  };
  // A handle of its own and reads into given memory are what an accepted socket of node:net cannot have otherwise.
  const socket = new Socket({ handle, allowHalfOpen: true, onread, noDelay: true, pauseOnCreate: true } as object);
  const leg: Leg = {
    ...{ socket, turns, turn: { number: 0, moved: 0 }, held: nothing, sink: null, wake: null, received: 0, sent: 0, queued: 0 },
    ...{ ended: false, closed: false, onDrain: null, onEnd: null, onClose: null },
  };
  // A peer that resets is an ordinary end; `close` follows. Without a listener it would end the process.
  socket.on('error', () => undefined);
  socket.on('end', () => end(leg));
  socket.on('close', () => close(leg));
  return leg;
};

/** Lets bytes come, at first and after a sink answered that no more may. */
export const resumeLeg = (leg: Leg): void => {
  if (!leg.closed) leg.socket.read(0);
};

// A write past libuv answers how much the kernel took, so that the shared memory is free again when this returns. Only while nothing is
// queued, and only by a handle that is open at this moment: its number cannot be another's.
const writeAtOnce = (leg: Leg, bytes: Buffer): number => {
  const fd = (leg.socket as unknown as Insides)._handle?.fd ?? -1;
  if (fd < 0 || leg.queued > 0) return 0;
  try {
    return writeSync(fd, bytes, 0, bytes.length);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : -1;
  }
};

const drained = (leg: Leg, bytes: number): void => {
  leg.queued -= bytes;
  if (leg.queued === 0 && !leg.closed) leg.onDrain?.();
};

/** Writes; false when some of it has to wait (`onDrain` follows) or the end is broken (`onClose` follows). The bytes may be reused. */
export const writeLeg = (leg: Leg, bytes: Buffer): boolean => {
  if (leg.closed || leg.socket.destroyed || leg.socket.writableEnded) return false;
  const written = writeAtOnce(leg, bytes);
  if (written < 0) {
    leg.socket.destroy();
    return false;
  }
  leg.sent += bytes.length;
  if (written === bytes.length) return true;
  const rest = Buffer.from(bytes.subarray(written));
  leg.queued += rest.length;
  leg.socket.write(rest, () => drained(leg, rest.length));
  return false;
};

/** Ends what is sent; what was written before still goes. */
export const endLeg = (leg: Leg): void => {
  if (!leg.closed && !leg.socket.destroyed) leg.socket.end();
};

/** Closes both directions now. */
export const dropLeg = (leg: Leg): void => {
  leg.socket.destroy();
};

/**
 * Shows all held bytes to `parse`, again whenever more came, until it says something else than `more`. Null when the peer ended or the
 * end closed before. Takes nothing: see `skipLeg`. One reader at a time.
 */
export const readLeg = <T extends { state: string }>(leg: Leg, parse: (bytes: Buffer) => T): Promise<T | null> =>
  new Promise((resolve) => {
    const look = () => {
      const found = leg.held.length > 0 ? parse(leg.held) : null;
      const isDone = found !== null && found.state !== 'more';
      if (!isDone && !leg.ended) return;
      leg.wake = null;
      resolve(isDone ? found : null);
    };
    leg.wake = look;
    look();
  });

/** Takes away the first held bytes. */
export const skipLeg = (leg: Leg, bytes: number): void => {
  leg.held = bytes >= leg.held.length ? nothing : leg.held.subarray(bytes);
  resumeLeg(leg);
};

/** Sends all bytes to a sink from now on, the held ones first. */
export const flowLeg = (leg: Leg, sink: Sink): void => {
  leg.sink = sink;
  const { held } = leg;
  leg.held = nothing;
  if (held.length === 0 || sink(held)) resumeLeg(leg);
};

/** Called by a sink: no more bytes go to it; those that it did not use are held again. */
export const holdLeg = (leg: Leg, unused: Buffer): void => {
  leg.sink = null;
  leg.held = unused.length === 0 ? nothing : Buffer.from(unused);
};
