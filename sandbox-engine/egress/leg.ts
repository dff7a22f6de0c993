// One end of a relayed connection. Reads into memory that all ends share and writes at once what the kernel takes, so that an idle end
// holds no buffer and a busy one allocates none. Knows bytes, not protocols.
import type { Socket } from 'node:net';
import { isReading, makeSocket, receiveAtOnce, writeAtOnce } from './leg-socket.ts';
import { firstTurn, type Turn, type Turns } from './turns.ts';

/** Takes bytes that are only valid during the call; answers whether more may come. */
export type Sink = (bytes: Buffer) => boolean;

/** One end. Its fields are read by everyone and changed by the functions of this file only, but for `onDrain`. */
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
  /** Told when the peer ended and when the end closed. */
  listeners: (() => void)[];
  /** What comes is short, and not much of it is to be in memory. */
  isBrief: boolean;
}

const nothing = Buffer.alloc(0);
const mostHeld = 64 * 1024;

const keep = (leg: Leg, bytes: Buffer): boolean => {
  leg.held = leg.held.length === 0 ? Buffer.from(bytes) : Buffer.concat([leg.held, bytes]);
  leg.wake?.();
  return leg.held.length < mostHeld;
};

// Counted is also what has to wait for the other end: an end that takes a little at a time would else have this one read in every turn.
const take = (leg: Leg, bytes: Buffer): boolean => {
  leg.received += bytes.length;
  const isOver = leg.turns.count(leg.turn, bytes.length);
  const goesOn = leg.sink === null ? keep(leg, bytes) : leg.sink(bytes);
  if (goesOn && isOver) readLater(leg);
  return goesOn && !isOver;
};

// Answers whether the socket may go on reading. What throws here breaks this connection, not the thread.
const arrive = (leg: Leg, bytes: Buffer): boolean => {
  try {
    return take(leg, bytes);
  } catch {
    leg.socket.destroy();
    return false;
  }
};

const tell = (leg: Leg): void => {
  // A listener may take itself out; the list is then another one.
  for (const listener of leg.listeners) listener();
  leg.wake?.();
};

const close = (leg: Leg): void => {
  leg.closed = true;
  leg.ended = true;
  tell(leg);
};

const end = (leg: Leg): void => {
  leg.ended = true;
  tell(leg);
};

const ignore = (): void => undefined;

// Who connects mostly says at once what for: that is taken before the event loop comes round, and before what it has to do meanwhile.
const readAtOnce = (leg: Leg): void => {
  const buffer = leg.turns.smallBuffer();
  const count = receiveAtOnce(leg.socket, buffer);
  if (count > 0) arrive(leg, buffer.subarray(0, count));
};

/** Makes an end: of an accepted connection by its handle, else of one that is yet to be connected by its `socket`. */
export const createLeg = (turns: Turns, handle?: unknown): Leg => {
  let isOpen = false;
  const socket = makeSocket(handle, {
    buffer: () => (isOpen && leg.sink !== null && !leg.isBrief ? turns.buffer() : turns.smallBuffer()),
    callback: (count, buffer) => arrive(leg, (buffer as Buffer).subarray(0, count)),
  });
  // One literal: a connection is made thousands of times a second, and copies of objects cost.
  const leg: Leg = {
    socket,
    turns,
    turn: firstTurn(),
    held: nothing,
    sink: null,
    wake: null,
    received: 0,
    sent: 0,
    queued: 0,
    ended: false,
    closed: false,
    onDrain: null,
    listeners: [],
    isBrief: false,
  };
  isOpen = true;
  // A peer that resets is an ordinary end; `close` follows. Without a listener it would end the process.
  socket.on('error', ignore);
  socket.on('end', () => end(leg));
  socket.on('close', () => close(leg));
  if (handle !== undefined) {
    readAtOnce(leg);
    resumeLeg(leg);
  }
  return leg;
};

/** An accepted connection of which something was read already: its end is handed on in the place of its bare handle. */
export interface OpenedHandle {
  leg: Leg;
  close: () => void;
}

/** The end of an accepted connection: the one that is open already, or a new one. */
export const legOf = (turns: Turns, handle: object): Leg => ('leg' in handle ? (handle as OpenedHandle).leg : createLeg(turns, handle));

const read = (leg: Leg): void => {
  if (leg.closed || isReading(leg.socket)) return;
  leg.socket.read(0);
};

const readLater = (leg: Leg): void => leg.turns.wait(leg.turn, () => read(leg));

/** Lets bytes come, at first and after a sink answered that no more may; in a later turn where this one is over. */
export const resumeLeg = (leg: Leg): void => {
  if (leg.turns.isOver(leg.turn)) readLater(leg);
  else read(leg);
};

/** Has it read little at once from now on. */
export const keepBrief = (leg: Leg): void => {
  leg.isBrief = true;
};

const drained = (leg: Leg, bytes: number): void => {
  leg.queued -= bytes;
  leg.turns.keep(-bytes);
  if (leg.queued === 0 && !leg.closed) leg.onDrain?.();
};

/** Writes; false when some of it has to wait (`onDrain` follows) or the end is broken (it closes). The bytes may be reused. */
export const writeLeg = (leg: Leg, bytes: Buffer): boolean => {
  if (leg.closed || leg.socket.destroyed || leg.socket.writableEnded) return false;
  // Only while nothing is queued: what is written past the queue would overtake it.
  const written = leg.queued > 0 ? 0 : writeAtOnce(leg.socket, bytes);
  if (written < 0) {
    leg.socket.destroy();
    return false;
  }
  leg.sent += bytes.length;
  if (written === bytes.length) return true;
  const rest = Buffer.from(bytes.subarray(written));
  leg.queued += rest.length;
  leg.turns.keep(rest.length);
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

/** Takes away the first held bytes. More come only once few are left, or each request in a row that is served would let a whole buffer in. */
export const skipLeg = (leg: Leg, bytes: number): void => {
  leg.held = bytes >= leg.held.length ? nothing : leg.held.subarray(bytes);
  if (leg.held.length < mostHeld) resumeLeg(leg);
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

/** Calls `listener` when the peer has ended and when the end has closed, until the returned function is called. */
export const listenToLeg = (leg: Leg, listener: () => void): (() => void) => {
  leg.listeners = [...leg.listeners, listener];
  return () => {
    leg.listeners = leg.listeners.filter((one) => one !== listener);
  };
};

/** Resolves when nothing is queued any more, or the end has closed. */
export const drainLeg = (leg: Leg): Promise<void> =>
  new Promise((resolve) => {
    if (leg.queued === 0 || leg.closed) {
      resolve();
      return;
    }
    const settle = () => {
      deafen();
      leg.onDrain = null;
      resolve();
    };
    const deafen = listenToLeg(leg, () => {
      if (leg.closed) settle();
    });
    leg.onDrain = settle;
  });

/** Closes the end; what was written before its orderly end still goes. */
export const closeLeg = (leg: Leg): void => {
  if (leg.socket.writableEnded) leg.socket.destroySoon();
  else leg.socket.destroy();
};
