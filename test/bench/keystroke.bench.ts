// A typed key until its echo is told, against the same shell on the bare connection. Keys come one by one, as from a person.
// The pair that is bound is measured at the host's own gate, in one process like its rival; a client of the socket, which is a process
// of its own, is shown beside it, and beside that what such a hop costs when nothing is done at its other end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Host, startHost } from '../../main/host/host.ts';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import { createEngine } from '../../sandbox-engine/index.ts';
import { type BenchHost, callerOf, followStreams, makePinned, openBenchHost, removeImages } from './bench-host.ts';
import { type BenchRuntime, benchDocker, createRaw, openRawShell, removeRaw } from './bench-runtimes.ts';
import { openEcho } from './echo-process.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 150;
const betweenKeysMs = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
// A key and its removal in turn, so that the line never reaches the edge of the terminal.
const keys = ['x', '\u007f'];

type Client = Pick<BenchHost, 'call' | 'send' | 'subscribe' | 'grown'>;

/** When the next event of a stream arrives, taken in the listener itself, as the rivals' is. */
const nextGrowth = (subscribe: Client['subscribe'], streamId: string): Promise<number> =>
  new Promise((resolve) => {
    const leave = subscribe((event) => {
      if (event.name !== 'stream.grew' || event.payload.stream_id !== streamId) return;
      const at = performance.now();
      leave();
      resolve(at);
    });
  });

const openOurs = async ({ call, send, subscribe, grown }: Client, environmentId: string): Promise<() => Promise<number>> => {
  const session = await call('sessions.launch', { environment_id: environmentId });
  const { id, stream_id } = await call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });
  await grown(stream_id, 0);
  await quiet();
  let typed = 0;
  return async () => {
    await pause();
    const data = Buffer.from(keys[typed++ % 2] ?? '').toString('base64');
    const echoed = nextGrowth(subscribe, stream_id);
    const began = performance.now();
    const written = send('terminals.write', { terminal_id: id, data });
    const took = (await echoed) - began;
    await written;
    return took;
  };
};

const openRaw = async (runtime: BenchRuntime, image: string): Promise<{ type: () => Promise<number>; close: () => Promise<void> }> => {
  const container = await createRaw(runtime, image, null);
  await container.start();
  const shell = await openRawShell(container);
  shell.resume();
  await quiet();
  let typed = 0;
  return {
    type: async () => {
      await pause();
      const echoed = new Promise<number>((resolve) => shell.once('data', () => resolve(performance.now())));
      const began = performance.now();
      shell.write(keys[typed++ % 2]);
      return (await echoed) - began;
    },
    close: async () => {
      shell.destroy();
      await removeRaw(container);
    },
  };
};

/** A host in this very process, as the desktop window has it. */
const openHere = async (folder: string): Promise<{ host: Host; client: Client }> => {
  const env = { ...process.env, DOCKER_HOST: `unix://${benchDocker().socket}` };
  const start = await startHost({ env, version: '0', dataFolder: folder, openEngine: createEngine });
  if (start.kind !== 'started') throw new Error('The host of the bench was there already.');
  const { host } = start;
  const call = async (name: string, input: unknown): Promise<Reply<never>> => (await host.dispatch(name, input)) as Reply<never>;
  return {
    host,
    client: { call: callerOf({ call }), send: host.dispatch, subscribe: host.events.subscribe, grown: followStreams(host.events) },
  };
};

const closeHere = async (host: Host, { call }: Client): Promise<void> => {
  for (const { id } of (await call('sessions.list', {})).sessions) await call('sessions.delete', { session_id: id });
  await host.close();
};

const measure = async (here: Client, outside: BenchHost): Promise<Record<'gate' | 'socket' | 'raw' | 'hop', number>> => {
  const docker = benchDocker();
  const runtimeId = await outside.runtimeId(docker);
  const { id, image } = await outside.pinned(runtimeId, 'base: debian\n');
  const socket = await openOurs(outside, id);
  const gate = await openOurs(here, (await makePinned(here.call, runtimeId, 'base: debian\n')).id);
  const raw = await openRaw(docker, image.image_id ?? '');
  const echo = await openEcho();
  const hop = async (): Promise<number> => {
    await pause();
    return await echo.ask();
  };
  try {
    return await measureInTurns(rounds, { gate, socket, raw: raw.type, hop });
  } finally {
    echo.close();
    await raw.close();
  }
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-keys-'));
  const outside = await openBenchHost();
  const { host, client } = await openHere(folder);
  try {
    const { gate, socket, raw, hop } = await measure(client, outside);
    const rival = { baseline: raw, against: 'write to read on the exec connection of dockerode' };
    const relayed = { baseline: raw + hop, against: 'the same, plus an echo between two bare Node processes over a unix socket' };
    return [
      {
        what: "Keystroke to echo: `terminals.write` until `stream.grew`, at the host's gate",
        ...{ ours: gate, ...rival, bound: { kind: 'at most', ratio: 1.5 } },
      },
      { what: 'The same at a client of the socket, in another process', ours: socket, ...rival, bound: null },
      { what: 'The same at a client of the socket, in another process', ours: socket, ...relayed, bound: null },
    ];
  } finally {
    await closeHere(host, client);
    await removeImages(folder);
    await rm(folder, { recursive: true, force: true });
    await outside.close();
  }
};
