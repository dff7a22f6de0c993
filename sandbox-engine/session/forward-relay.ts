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
  isEnded: boolean;
  isEndSent: boolean;
}

/** Connections of one session at a time: each may hold two windows. */
const mostChannels = 256;
const giveBackBytes = 65_536;
/** What waits to be taken inside, before nothing more is heard from there. */
const mostUnsentBytes = 4_194_304;

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

/** Writes what came from inside, and gives room back as it is taken. */
const take = (channel: Channel, bytes: Buffer, send: Send): void => {
  // Nothing would use up no room, and yet be answered.
  if (bytes.length === 0) throw new SandlotError('stream_broken', 'The forward of a sandbox sent nothing as bytes.');
  channel.room -= bytes.length;
  if (channel.room < 0) throw new SandlotError('stream_broken', 'The forward of a sandbox sent more than it may.');
  channel.socket.write(bytes, () => {
    channel.taken += bytes.length;
    if (channel.taken < giveBackBytes && channel.socket.writableLength > 0) return;
    channel.room += channel.taken;
    send(forwardFrame('credit', channel.id, numberBytes(channel.taken, 4)));
    channel.taken = 0;
  });
};

const hear = (channel: Channel, { kind, bytes }: ForwardFrame, send: Send): void => {
  if (kind === frameKinds.bytes) take(channel, bytes, send);
  else if (kind === frameKinds.end) channel.socket.end();
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
});

/** Sends frames. `room` is there while too much of them was not taken, and resolves when that is better. */
const createSender = (handle: ExecHandle): { send: Send; room: () => Promise<void> | undefined } => {
  const waiting: (() => void)[] = [];
  let unsent = 0;
  const taken = (length: number): void => {
    unsent -= length;
    if (unsent <= mostUnsentBytes) for (const goOn of waiting.splice(0)) goOn();
  };
  return {
    send: (frame) => {
      unsent += frame.length;
      void handle.type(frame).then(() => taken(frame.length));
    },
    room: () => (unsent > mostUnsentBytes ? new Promise((resolve) => waiting.push(resolve)) : undefined),
  };
};

const run = (handle: ExecHandle): ForwardRelay => {
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
        if (channel !== undefined) hear(channel, frame, send);
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
      socket.resume();
    },
  };
};

/** Starts the program inside. Who opens it closes it. @throws runtime_error @throws runtime_unavailable */
export const openForwardRelay = async (runtime: ContainerRuntime, containerId: string): Promise<ForwardRelay> => {
  const command = ['/usr/bin/perl', '-e', forwardProgram];
  return run(await runtime.exec(containerId, { command, user: sandboxUser, workdir: '/', stdin: true }));
};
