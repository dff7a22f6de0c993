// What a gate says of itself when it starts: its first program runs the self-test and tells it by a socket in the folder that this gate alone
// has mounted. Asking it from outside would cost the start of another process, which is a good part of a launch.
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { testSocketName } from './addresses.ts';

export interface ToldTest {
  /** All that it said, or null when it said nothing for so long. */
  within: (ms: number) => Promise<string | null>;
  close: () => Promise<void>;
}

/** More than a test has to say. */
const mostCharacters = 16_384;

/** Listens for the test of a gate that is about to be started. Who listens closes it. */
export const listenForTest = async (socketFolder: string): Promise<ToldTest> => {
  const path = join(socketFolder, testSocketName);
  const server = createServer();
  const open = new Set<Socket>();
  const said = new Promise<string>((resolve) => {
    server.on('connection', (socket) => {
      open.add(socket);
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => {
        text += part;
        if (text.length > mostCharacters) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        resolve(text);
      });
    });
  });
  await rm(path, { force: true });
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(path, listening));
  await chmod(path, 0o666);
  return {
    within: async (ms) => {
      const patience = new AbortController();
      const silence = setTimeout(ms, null, { signal: patience.signal }).catch(() => null);
      const first = await Promise.race([said, silence]);
      patience.abort();
      return first;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        // A gate that hangs in the middle of its test holds up no launch.
        for (const socket of open) socket.destroy();
      }),
  };
};
