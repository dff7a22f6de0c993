// A hostile program at the other end of a forward: it says what makes no sense, and takes nothing.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ContainerRuntime, ExecHandle } from '../../../sandbox-engine/container/container-runtime.ts';
import { forwardFrame, numberBytes, windowBytes } from '../../../sandbox-engine/session/forward-frames.ts';
import { openForwardRelay } from '../../../sandbox-engine/session/forward-relay.ts';

type Take = Parameters<ExecHandle['each']>[0];

/** Both ends of a connection of this machine. */
const connection = async (): Promise<{ near: Socket; far: Socket }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const socket of [near, far]) socket.destroy();
    server.close();
  });
  far.on('error', () => undefined);
  return { near, far };
};

/** A relay whose program takes nothing until it is let. */
const openRelay = async () => {
  const typed: { length: number; taken: () => void }[] = [];
  const told = { say: (() => undefined) as Take, end: (_thrown?: unknown): void => undefined };
  const handle = {
    each: (take: Take) =>
      new Promise<void>((resolve, reject) => {
        told.say = (bytes) => {
          try {
            return take(bytes);
          } catch (thrown) {
            return void reject(thrown);
          }
        };
        told.end = () => resolve();
      }),
    type: ({ length }: Uint8Array) => new Promise<void>((taken) => typed.push({ length, taken })),
    close: () => told.end(),
  } as unknown as ExecHandle;
  const relay = await openForwardRelay({ exec: async () => handle } as unknown as ContainerRuntime, 'c');
  return { relay, told, typed };
};

test('bytes that are none end the forward, because they would be answered without end', async () => {
  const { near } = await connection();
  const { relay, told, typed } = await openRelay();
  const closed = once(near, 'close');
  relay.join(near, 80);
  void told.say(forwardFrame('bytes', 1));
  // Whichever comes first: the end, or an answer to it.
  while (!near.destroyed && typed.length < 2) await turn();
  expect(typed.length).toBe(1);
  await Promise.all([relay.ended, closed]);
});

test('nothing more is heard from a program while it has not taken 4 MiB', async () => {
  const { near, far } = await connection();
  const { relay, told, typed } = await openRelay();
  relay.join(near, 80);
  far.write(Buffer.alloc(16_777_216));
  const unsent = (): number => typed.reduce((sum, { length }) => sum + length, 0);
  let held: Promise<void> | undefined;
  while (held === undefined && unsent() < 12_582_912) {
    await turn();
    held = told.say(forwardFrame('credit', 1, numberBytes(windowBytes, 4)));
  }
  expect(held).toBeInstanceOf(Promise);
  expect(unsent()).toBeLessThan(4_194_304 + 2 * windowBytes);
  for (const { taken } of typed.splice(0)) taken();
  expect(await held).toBeUndefined();
  expect(told.say(forwardFrame('credit', 9, numberBytes(1, 4)))).toBeUndefined();
  relay.close();
  await relay.ended;
});

/** How often it was written to, of late. */
const countWrites = (socket: Socket): { count: number } => {
  const counted = { count: 0 };
  const write = socket.write.bind(socket);
  socket.write = ((...given: Parameters<typeof write>) => {
    counted.count += 1;
    return write(...given);
  }) as typeof socket.write;
  return counted;
};

test('what somebody does not read is held as one piece, in however many it came; it arrives whole, and its end after it', async () => {
  const { near, far } = await connection();
  const { relay, told, typed } = await openRelay();
  relay.join(near, 80);
  const writes = countWrites(near);
  let sent = 0;
  // What the kernel takes first gives room back.
  for (const full = forwardFrame('bytes', 1, Buffer.alloc(65_536, 'x')); near.writableLength === 0; sent += 65_536) {
    void told.say(full);
    await turn();
    for (const { taken } of typed.splice(0)) taken();
  }
  writes.count = 0;
  const one = forwardFrame('bytes', 1, Buffer.from('y'));
  void told.say(Buffer.concat(Array.from({ length: 100_000 }, () => one)));
  expect(writes.count).toBeLessThan(4);
  void told.say(forwardFrame('end', 1));
  let read = '';
  for await (const bytes of far.setEncoding('latin1')) read += bytes;
  expect([read.length, read.lastIndexOf('x')]).toEqual([sent + 100_000, sent - 1]);
  far.end();
  relay.close();
  await relay.ended;
});

test('bytes after the end of a connection end the forward', async () => {
  const { near } = await connection();
  const { relay, told } = await openRelay();
  relay.join(near, 80);
  void told.say(Buffer.concat([forwardFrame('end', 1), forwardFrame('bytes', 1, Buffer.from('x'))]));
  await relay.ended;
});

test('answers that a program does not take are counted by what they cost', async () => {
  const { near, far } = await connection();
  const { relay, told, typed } = await openRelay();
  relay.join(near, 80);
  far.resume();
  let held: Promise<void> | undefined;
  for (let count = 0; held === undefined && count < 60_000; count += 1) {
    held = told.say(forwardFrame('bytes', 1, Buffer.from('x')));
    await turn();
  }
  expect(held).toBeInstanceOf(Promise);
  expect(typed.length).toBeLessThan(20_000);
  relay.close();
  await relay.ended;
});
