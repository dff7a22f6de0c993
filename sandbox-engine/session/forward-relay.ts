// Carries connections of this machine to ports inside one sandbox over one exec. Each has its own window: what its reader has not taken is
// never more than that, and it holds up nobody else. What the sandbox says is hostile: more than its window, or nonsense, ends all.
import type { Socket } from 'node:net';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import {
  byteFrames,
  createForwardReader,
  type ForwardFrame,
  forwardFrame,
  frameKinds,
  numberBytes,
  windowBytes,
} from './forward-frames.ts';
import { forwardProgram } from './forward-program.ts';
import { createCookieMask } from './mask-own-cookie.ts';

export interface ForwardRelay {
  /** Joins a connection to a port inside; it is closed when that cannot be reached. */
  join: (socket: Socket, port: number) => void;
  /** Resolves when the exec has ended; all connections are closed then. */
  ended: Promise<void>;
  close: () => void;
}

interface Channel {
  id: number;
  socket: Socket;
  /** Bytes that may still be sent inside. */
  credit: number;
  /** Read here, but without credit yet. */
  waiting: Buffer[];
  /** Bytes that may still come from inside. */
  room: number;
  /** Written here since room was given back. */
  taken: number;
  /** What came while a write was under way: one piece, however it was cut, so that it costs no more than its bytes. */
  kept: Buffer;
  keptBytes: number;
  isWriting: boolean;
  /** Inside nothing more is said. */
  isFarEnded: boolean;
  isEnded: boolean;
  isEndSent: boolean;
}

/** Connections of one session at a time: each may hold two windows. */
const mostChannels = 256;
const giveBackBytes = 65_536;
/** What waits to be taken inside, before nothing more is heard from there; each frame costs more than its bytes. */
const mostUnsentBytes = 4_194_304;
const frameCost = 256;

const nothing = Buffer.alloc(0);

type Send = (frame: Buffer) => void;

const sendWaiting = (channel: Channel, send: Send): void => {
  while (channel.credit > 0) {
    const next = channel.waiting.shift();
    if (next === undefined) break;
    const now = next.subarray(0, channel.credit);
    if (now.length < next.length) channel.waiting.unshift(next.subarray(now.length));
    channel.credit -= now.length;
    for (const frame of byteFrames(channel.id, now)) send(frame);
  }
  if (channel.waiting.length > 0) return void channel.socket.pause();
  channel.socket.resume();
  if (!channel.isEnded || channel.isEndSent) return;
  channel.isEndSent = true;
  send(forwardFrame('end', channel.id));
};

const keep = (channel: Channel, bytes: Buffer): void => {
  const needed = channel.keptBytes + bytes.length;
  if (needed > channel.kept.length) {
    const larger = Buffer.allocUnsafe(Math.min(windowBytes, Math.max(needed, 2 * channel.kept.length)));
    channel.kept.copy(larger, 0, 0, channel.keptBytes);
    channel.kept = larger;
  }
  bytes.copy(channel.kept, channel.keptBytes);
  channel.keptBytes = needed;
};

const takeKept = (channel: Channel): Buffer => {
  const bytes = channel.kept.subarray(0, channel.keptBytes);
  Object.assign(channel, { kept: nothing, keptBytes: 0 });
  return bytes;
};

/** Writes, and what was kept meanwhile after it; gives room back as it is taken. */
const write = (channel: Channel, bytes: Buffer, send: Send): void => {
  channel.isWriting = true;
  channel.socket.write(bytes, () => {
    channel.isWriting = false;
    channel.taken += bytes.length;
    const next = takeKept(channel);
    if (next.length > 0) write(channel, next, send);
    if (channel.taken < giveBackBytes && next.length > 0) return;
    channel.room += channel.taken;
    send(forwardFrame('credit', channel.id, numberBytes(channel.taken, 4)));
    channel.taken = 0;
  });
};

/** Takes what came from inside. @throws stream_broken */
const take = (channel: Channel, bytes: Buffer, send: Send): void => {
  // Nothing would use up no room, and yet be answered.
  if (bytes.length === 0) throw new SandlotError('stream_broken', 'The forward of a sandbox sent nothing as bytes.');
  if (channel.isFarEnded) throw new SandlotError('stream_broken', 'The forward of a sandbox sent more after its end.');
  channel.room -= bytes.length;
  if (channel.room < 0) throw new SandlotError('stream_broken', 'The forward of a sandbox sent more than it may.');
  if (channel.isWriting) keep(channel, bytes);
  else write(channel, bytes, send);
};

const endFar = (channel: Channel): void => {
  if (channel.isFarEnded) return;
  channel.isFarEnded = true;
  channel.socket.end(takeKept(channel));
};

const hear = (channel: Channel, { kind, bytes }: ForwardFrame, send: Send): void => {
  if (kind === frameKinds.bytes) take(channel, bytes, send);
  else if (kind === frameKinds.end) endFar(channel);
  else if (kind === frameKinds.reset) channel.socket.destroy();
  else if (kind === frameKinds.credit && bytes.length === 4) {
    // More than a window was never given away.
    channel.credit = Math.min(windowBytes, channel.credit + bytes.readUInt32BE(0));
    sendWaiting(channel, send);
  }
};

const listen = (channel: Channel, send: Send, onClose: (isClean: boolean) => void): void => {
  const { socket } = channel;
  const mask = createCookieMask();
  socket.on('data', (bytes: Buffer) => {
    channel.waiting.push(mask(bytes));
    sendWaiting(channel, send);
  });
  socket.on('end', () => {
    channel.isEnded = true;
    sendWaiting(channel, send);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => onClose(channel.isEndSent && socket.writableFinished));
};

const channelOf = (id: number, socket: Socket): Channel => ({
  ...{ id, socket, credit: windowBytes, waiting: [], room: windowBytes, taken: 0, isEnded: false, isEndSent: false },
  ...{ kept: nothing, keptBytes: 0, isWriting: false, isFarEnded: false },
});

/** Sends frames. `room` is there while too much of them was not taken, and resolves when that is better. */
const createSender = (handle: ExecHandle): { send: Send; room: () => Promise<void> | undefined } => {
  const waiting: (() => void)[] = [];
  let unsent = 0;
  const taken = (length: number): void => {
    unsent -= length + frameCost;
    if (unsent <= mostUnsentBytes) for (const goOn of waiting.splice(0)) goOn();
  };
  return {
    send: (frame) => {
      unsent += frame.length + frameCost;
      void handle.type(frame).then(() => taken(frame.length));
    },
    room: () => (unsent > mostUnsentBytes ? new Promise((resolve) => waiting.push(resolve)) : undefined),
  };
};

const run = (handle: ExecHandle, onBytes: () => void): ForwardRelay => {
  const channels = new Map<number, Channel>();
  let last = 0;
  const { send, room } = createSender(handle);
  const nextId = (): number => {
    do last = (last % 65_535) + 1;
    while (channels.has(last));
    return last;
  };
  const read = createForwardReader();
  const ended = handle
    .each((bytes) => {
      for (const frame of read(bytes)) {
        const channel = channels.get(frame.channel);
        if (channel === undefined) continue;
        if (frame.kind === frameKinds.bytes) onBytes();
        hear(channel, frame, send);
      }
      return room();
    })
    .catch(() => undefined)
    .then(() => {
      handle.close();
      for (const { socket } of channels.values()) socket.destroy();
    });
  return {
    ended,
    close: handle.close,
    join: (socket, port) => {
      if (channels.size >= mostChannels) return void socket.destroy();
      const channel = channelOf(nextId(), socket);
      channels.set(channel.id, channel);
      listen(channel, send, (isClean) => {
        channels.delete(channel.id);
        if (!isClean) send(forwardFrame('reset', channel.id));
      });
      send(forwardFrame('open', channel.id, numberBytes(port, 2)));
      socket.on('data', onBytes);
      socket.resume();
    },
  };
};

/** Starts the program inside. Who opens it closes it; `onBytes` hears of each that passes, either way.
 *  @throws runtime_error @throws runtime_unavailable */
export const openForwardRelay = async (
  runtime: ContainerRuntime,
  containerId: string,
  onBytes: () => void = () => undefined,
): Promise<ForwardRelay> => {
  const command = ['/usr/bin/perl', '-e', forwardProgram];
  return run(await runtime.exec(containerId, { command, user: sandboxUser, workdir: '/', stdin: true }), onBytes);
};
