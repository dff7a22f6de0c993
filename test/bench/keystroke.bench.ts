// A typed key until its echo is at the client, against the same shell on the bare connection. Keys come one by one, as from a person.
import { once } from 'node:events';
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchDocker, createRaw, openRawShell, removeRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const rounds = 150;
const betweenKeysMs = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
// A key and its removal in turn, so that the line never reaches the edge of the terminal.
const keys = ['x', '\u007f'];

const openOurs = async (host: BenchHost, environmentId: string): Promise<() => Promise<number>> => {
  const session = await host.call('sessions.launch', { environment_id: environmentId });
  const { id, stream_id } = await host.call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });
  let size = await host.grown(stream_id, 0);
  await quiet();
  ({ size } = await host.call('stream.read', { stream_id, from: 0 }));
  let typed = 0;
  return async () => {
    await pause();
    const data = Buffer.from(keys[typed++ % 2] ?? '').toString('base64');
    const began = performance.now();
    const written = host.call('terminals.write', { terminal_id: id, data });
    size = await host.grown(stream_id, size);
    const took = performance.now() - began;
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
      const began = performance.now();
      shell.write(keys[typed++ % 2]);
      await once(shell, 'data');
      return performance.now() - began;
    },
    close: async () => {
      shell.destroy();
      await removeRaw(container);
    },
  };
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const runtime = benchDocker();
  const host = await openBenchHost();
  try {
    const { id, image } = await host.pinned(await host.runtimeId(runtime), 'base: debian\n');
    const type = await openOurs(host, id);
    const raw = await openRaw(runtime, image.image_id ?? '');
    const medians = await measureInTurns(rounds, { ours: type, raw: raw.type });
    await raw.close();
    return [
      {
        what: 'Keystroke to echo: `terminals.write` until `stream.grew` is at a client of the socket',
        ...{ ours: medians.ours, baseline: medians.raw, against: 'write to read on the exec connection of dockerode' },
        bound: { kind: 'at most', ratio: 1.5 },
      },
    ];
  } finally {
    await host.close();
  }
};
