// The other end of the socket in the data folder: what the command line and a second start hold in their hand.
import { connect, type Socket } from 'node:net';
import type { Bridge, Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import { SandlotError, toErrorBody } from '../../sandbox-engine/index.ts';
import { newRequestId } from './request-id.ts';
import type { ControlName } from './socket-door.ts';
import { createLineReader } from './text-lines.ts';

export interface HostClient extends Bridge {
  /** Asks the other process for something beside the contract. */
  control: (name: ControlName) => Promise<Reply<Record<string, unknown>>>;
  /** Resolves when the connection is over. */
  closed: Promise<void>;
  close: () => void;
}

const maxLineBytes = 67_108_864;

const connectSocket = async (path: string): Promise<Socket | null> =>
  await new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // No file, nobody listening, not ours: there is no host to talk to.
    socket.once('error', () => resolve(null));
  });

const gone = (): Reply<never> => ({
  ok: false,
  error: toErrorBody(
    new SandlotError('host_unreachable', 'The host ended before it answered.', {
      nextAction: 'Run the command again; see host.log in the data folder.',
    }),
    newRequestId(),
  ),
});

/** Connects to the host that listens at `path`; null when nobody does. */
export const connectHost = async (path: string): Promise<HostClient | null> => {
  const socket = await connectSocket(path);
  if (socket === null) return null;
  const waiting = new Map<number, (reply: Reply<never>) => void>();
  const listeners = new Set<(event: AppEvent) => void>();
  let lastId = 0;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const answer of waiting.values()) answer(gone());
    waiting.clear();
  });

  const receive = (line: string): void => {
    const frame = JSON.parse(line) as { id: number; reply: Reply<never> } | { event: AppEvent };
    if ('event' in frame) {
      for (const listener of listeners) listener(frame.event);
      return;
    }
    waiting.get(frame.id)?.(frame.reply);
    waiting.delete(frame.id);
  };
  socket.on(
    'data',
    createLineReader(maxLineBytes, receive, () => socket.destroy()),
  );

  const ask = async (frame: object): Promise<Reply<never>> => {
    if (socket.destroyed || socket.writableEnded) return gone();
    lastId += 1;
    const id = lastId;
    return await new Promise((resolve) => {
      waiting.set(id, resolve);
      socket.write(`${JSON.stringify({ id, ...frame })}\n`);
    });
  };

  return {
    call: async (name, input) => await ask({ name, input }),
    control: async (name) => await ask({ control: name }),
    subscribe: (listener) => {
      if (listeners.size === 0) void ask({ subscribe: true });
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    closed,
    close: () => socket.end(),
  };
};

/** Says hello to whoever listens; a socket that takes the connection but never answers is nobody. */
export const findHost = async (socketPath: string): Promise<HostClient | null> => {
  const client = await connectHost(socketPath);
  if (client === null) return null;
  const silent = new Promise<null>((resolve) => setTimeout(() => resolve(null), 2000).unref());
  const hello = await Promise.race([client.control('hello'), silent]);
  if (hello?.ok === true) return client;
  client.close();
  return null;
};
