// A second Node process that sends back what it gets over a unix socket: what the hop between two processes costs on this machine now.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const socketVariable = 'SANDLOT_BENCH_ECHO';

const startChild = async (path: string): Promise<ChildProcess> => {
  const child = fork(import.meta.filename, { execArgv: ['--import', 'tsx'], env: { ...process.env, [socketVariable]: path } });
  await once(child, 'message');
  return child;
};

/** Starts it; `ask` answers how long one small message took there and back, in milliseconds. */
export const openEcho = async (): Promise<{ ask: () => Promise<number>; close: () => void }> => {
  const path = join(tmpdir(), `sandlot-echo-${process.pid}.sock`);
  const child = await startChild(path);
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  return {
    ask: async () => {
      const began = performance.now();
      socket.write('x');
      await once(socket, 'data');
      return performance.now() - began;
    },
    close: () => {
      socket.destroy();
      child.kill();
    },
  };
};

const path = process.env[socketVariable];
if (path !== undefined) {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
  server.listen(path, () => process.send?.('listening'));
  process.on('SIGTERM', () => {
    server.close();
    process.exit();
  });
}
