// Keys that are typed one by one, as from a person, until their echo is told: by a client of a host, and on the bare connection.
import { type Host, startHost } from '../../main/host/host.ts';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import { createEngine } from '../../sandbox-engine/index.ts';
import { type BenchHost, callerOf, followStreams } from './bench-host.ts';
import { type BenchRuntime, benchDocker, createRaw, openRawShell, removeRaw } from './bench-runtimes.ts';

const betweenKeysMs = 20;

/** Between two keys. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
// A key and its removal in turn, so that the line never reaches the edge of the terminal.
const keys = ['x', '\u007f'];

/** What typing needs of a client of a host. */
export type Client = Pick<BenchHost, 'call' | 'send' | 'subscribe' | 'grown'>;

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

/** Launches a session with a shell; what it answers types a key and says how many milliseconds later its echo was told. */
export const openOurs = async ({ call, send, subscribe, grown }: Client, environmentId: string): Promise<() => Promise<number>> => {
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

/** The same on the bare connection of dockerode. */
export const openRaw = async (
  runtime: BenchRuntime,
  image: string,
): Promise<{ type: () => Promise<number>; close: () => Promise<void> }> => {
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
export const openHere = async (folder: string): Promise<{ host: Host; client: Client }> => {
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

/** Deletes its sessions and ends it. */
export const closeHere = async (host: Host, { call }: Client): Promise<void> => {
  for (const { id } of (await call('sessions.list', {})).sessions) await call('sessions.delete', { session_id: id });
  await host.close();
};
