// The ends of a relayed connection, over real sockets: how much one holds, and when it reads on.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createLeg, dropLeg, flowLeg, type Leg, resumeLeg, writeLeg } from '../../../sandbox-engine/egress/leg.ts';
import { type Handle, type Listener, listenSocket } from '../../../sandbox-engine/egress/listen-socket.ts';
import { createTurns, type Turns } from '../../../sandbox-engine/egress/turns.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandlot-leg-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An accepted end and the client of it; `before` is said before it is accepted. */
const accept = async (turns: Turns, before: Buffer = Buffer.alloc(0)): Promise<{ leg: Leg; client: Socket }> => {
  const handles: Handle[] = [];
  const path = join(folder, 's.sock');
  const listener: Listener = await listenSocket(path, (handle) => handles.push(handle));
  const client = connect(path).on('error', () => undefined);
  client.write(before);
  await vi.waitFor(() => expect(handles).toHaveLength(1));
  await pause(20);
  const leg = createLeg(turns, handles[0]);
  closing.push(
    () => dropLeg(leg),
    () => client.destroy(),
    () => listener.close(),
  );
  return { leg, client };
};

test('of what nobody takes yet an end holds little, however much was sent before and after it was accepted', async () => {
  const { leg, client } = await accept(createTurns()(), Buffer.alloc(200_000));
  client.write(Buffer.alloc(2_000_000));
  await pause(200);
  expect(leg.held.length).toBeGreaterThanOrEqual(64 * 1024);
  expect(leg.held.length).toBeLessThan(96 * 1024);
});

test('an end goes on in a later turn where its sandbox has had this one, also when the other end took all meanwhile', async () => {
  const turns = createTurns()();
  let isOver = true;
  const waiting: (() => void)[] = [];
  const { leg, client } = await accept({ ...turns, isOver: () => isOver, wait: (_turn, goOn) => void waiting.push(goOn) });
  const came: number[] = [];
  flowLeg(leg, (bytes) => came.push(bytes.length) > 0);
  resumeLeg(leg);
  client.write('some');
  await pause(50);
  expect(came).toEqual([]);
  isOver = false;
  for (const goOn of waiting) goOn();
  await vi.waitFor(() => expect(came).toEqual([4]));
});

test.each(['the one that takes nothing is reset', 'it is dropped here'])(
  'what waited for an end is no longer counted after %s',
  async (how) => {
    const turns = createTurns()();
    let kept = 0;
    const count = (bytes: number): void => {
      kept += bytes;
    };
    const server = createServer((socket) => {
      socket.on('error', () => undefined).pause();
      closing.push(() => socket.destroy());
      setTimeout(() => (how.includes('reset') ? socket.resetAndDestroy() : dropLeg(leg)), 100);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const leg = createLeg({ ...turns, keep: count });
    leg.socket.connect((server.address() as { port: number }).port, '127.0.0.1');
    await new Promise((resolve) => leg.socket.once('connect', resolve));
    while (writeLeg(leg, Buffer.alloc(200_000)));
    writeLeg(leg, Buffer.alloc(200_000));
    expect(kept).toBeGreaterThan(200_000);
    await vi.waitFor(() => expect(leg.closed).toBe(true));
    expect(kept).toBe(0);
  },
);
