// The socket in the data folder: calls, events and the few words between processes of Sandlot itself, one JSON a line.
// Who can open the socket is the same user; the folder is 0700 and the socket 0600, so there is no token.
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { answerFrame, type FrameId, frameId, readFrame, refuseFrame } from './answer-frame.ts';
import type { Host } from './host.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createLineReader } from './text-lines.ts';

const maxLineBytes = 16_777_216;

/** What one process of Sandlot may ask another beside the contract; entries say what they can do. */
export type ControlName = 'hello' | 'open';
export type Control = () => Promise<unknown>;

const answerControl = async (host: Host, id: FrameId, name: string): Promise<string> => {
  const control = host.controls.get(name as ControlName);
  if (control === undefined) return refuseFrame(id, `This host has no control "${name}".`);
  try {
    return JSON.stringify({ id, reply: { ok: true, value: await control() } });
  } catch (error) {
    host.log.error({ error }, `control ${name} failed`);
    return refuseFrame(id, `The control "${name}" failed: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const serve = (host: Host, socket: Socket): void => {
  const outbox: Outbox = createOutbox({
    send: (text, done) => socket.write(`${text}\n`, () => done()),
    unsentBytes: () => socket.writableLength,
    close: () => socket.destroy(),
  });
  const leave = host.enter();
  let unsubscribe: () => void = () => undefined;
  const receive = (line: string): void => {
    const frame = readFrame(line);
    const id = frameId(frame);
    if (frame?.['subscribe'] === true) {
      unsubscribe();
      unsubscribe = host.events.subscribe(outbox.event);
      outbox.reply(JSON.stringify({ id, reply: { ok: true, value: { ok: true } } }));
      return;
    }
    const answer = typeof frame?.['control'] === 'string' ? answerControl(host, id, frame['control']) : answerFrame(host.dispatch, line);
    void answer.then(outbox.reply);
  };
  socket.on(
    'data',
    createLineReader(maxLineBytes, receive, () => socket.destroy()),
  );
  socket.on('error', (error) => host.log.debug({ error: error.message }, 'a client of the socket broke'));
  socket.on('close', () => {
    unsubscribe();
    leave();
  });
};

export interface SocketDoor {
  close: () => Promise<void>;
}

/** Listens at `path`; only the holder of the host lock may call it, since a file in the way is removed. */
export const openSocketDoor = async (host: Host, path: string): Promise<SocketDoor> => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(host, socket);
  });
  if (process.platform !== 'win32') await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  server.on('error', (error) => host.log.error({ error }, 'the socket door failed'));
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.end();
      setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, 500).unref();
      await closed;
    },
  };
};
