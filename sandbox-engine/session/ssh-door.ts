// The way of this machine's SSH client into sessions: a socket for each, in a folder that only this user can enter. Whoever connects is
// joined to an SSH server that is started for that connection inside. No port is opened, here or there, and no network is needed.
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import type { Session } from '../contract/model.ts';
import type { SshKey } from './ssh-key.ts';
import { servingExec } from './ssh-program.ts';

export interface SshDoor {
  /** Opens the socket of this session and answers its path; safe to repeat. */
  open: (sessionId: string) => Promise<string>;
  removed: (sessionId: string) => Promise<void>;
  close: () => Promise<void>;
}

interface SshDoorDeps {
  runFolder: string;
  key: () => Promise<SshKey>;
  runtimeOf: (id: string) => ContainerRuntime;
  sessionOf: (id: string) => Promise<Session>;
  /** Somebody came or went, or bytes passed: the session is in use. */
  touch: (sessionId: string) => void;
  /** `NAME=value` of what a terminal would get. */
  secretsOf: (session: Session) => Promise<string[]>;
}

/** Writes at the pace of the reader. */
const writeTo = (socket: Socket, bytes: Buffer): Promise<unknown> | undefined =>
  socket.write(bytes) || socket.destroyed ? undefined : new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));

const carry = async (socket: Socket, handle: ExecHandle, onBytes: () => void): Promise<void> => {
  socket.on('data', (bytes: Buffer) => {
    onBytes();
    socket.pause();
    void handle.type(bytes).then(() => socket.resume());
  });
  socket.on('end', () => void handle.stdin.end());
  socket.on('close', handle.close);
  for await (const { stream, bytes } of handle.output) {
    if (stream !== 'stdout') continue;
    onBytes();
    await writeTo(socket, bytes);
  }
  socket.end();
};

const serve = async (deps: SshDoorDeps, sessionId: string, socket: Socket): Promise<void> => {
  try {
    const session = await deps.sessionOf(sessionId);
    if (session.status !== 'running' || session.container_id === null) return void socket.destroy();
    const [key, secrets] = await Promise.all([deps.key(), deps.secretsOf(session)]);
    const exec = servingExec(sessionId, key.publicLine, secrets);
    await carry(socket, await deps.runtimeOf(session.runtime).exec(session.container_id, exec), () => deps.touch(sessionId));
  } catch {
    // The client says that the connection was closed; why, `editors.get` tells.
    socket.destroy();
  }
};

interface OpenedDoor {
  server: Server;
  path: string;
  sockets: Set<Socket>;
}

const listen = async (deps: SshDoorDeps, sessionId: string): Promise<OpenedDoor> => {
  const path = join(deps.runFolder, `ssh-${sessionId.slice(-12)}.sock`);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    deps.touch(sessionId);
    void serve(deps, sessionId, socket).finally(() => deps.touch(sessionId));
  });
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  server.removeAllListeners('error').on('error', () => undefined);
  await chmod(path, 0o600);
  return { server, path, sockets };
};

/** Makes the door of one host. */
export const createSshDoor = (deps: SshDoorDeps): SshDoor => {
  const doors = new Map<string, Promise<OpenedDoor>>();
  const closeOne = async (sessionId: string): Promise<void> => {
    const opened = await doors.get(sessionId)?.catch(() => undefined);
    doors.delete(sessionId);
    if (opened === undefined) return;
    for (const socket of opened.sockets) socket.destroy();
    await new Promise<void>((resolve) => opened.server.close(() => resolve()));
  };
  return {
    open: async (sessionId) => {
      const opening = doors.get(sessionId) ?? listen(deps, sessionId);
      doors.set(sessionId, opening);
      try {
        return (await opening).path;
      } catch (thrown) {
        doors.delete(sessionId);
        throw thrown;
      }
    },
    removed: closeOne,
    close: async () => void (await Promise.all([...doors.keys()].map(closeOne))),
  };
};
