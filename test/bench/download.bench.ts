// Keys that are typed in one session while another one downloads at full speed through its gate: by how much later is their echo told? The
// host is in this process, as in the desktop window. Beside it the same download on the plain bridge, of which Sandlot sees nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePinned, removeImages } from './bench-host.ts';
import { type BenchRuntime, benchDocker, createRaw, removeRaw } from './bench-runtimes.ts';
import { commandOf, mountsOf } from './node-inside.ts';
import { median, type Ratio } from './ratio.ts';
import { type Client, closeHere, openHere, openOurs } from './typing.ts';

const rounds = 5;
const keysInRound = 100;
const limitMs = 5;

type Raw = Awaited<ReturnType<typeof createRaw>>;

/** Starts a command in a container; answers the first that it says, and how to end what it started. */
const begin = async (container: Raw, command: string[]): Promise<{ said: string; end: () => void }> => {
  const exec = await container.exec({ Cmd: command, AttachStdout: true, Tty: true });
  const stream = await exec.start({ Tty: true });
  const said = await new Promise<string>((resolve) => stream.once('data', (bytes: Buffer) => resolve(bytes.toString('utf8'))));
  stream.resume();
  return { said, end: () => stream.destroy() };
};

const addressOf = async (container: Raw): Promise<string> =>
  Object.values((await container.inspect()).NetworkSettings.Networks)[0]?.IPAddress ?? '';

/** A container that sends without end to whoever connects. */
const openSource = async (docker: BenchRuntime, image: string, folder: string) => {
  const container = await createRaw(docker, image, null, { mounts: mountsOf('egress-origin-process.ts', folder) });
  await container.start();
  const { said, end } = await begin(container, commandOf(['0.0.0.0']));
  const { source } = JSON.parse(said) as { source: number };
  const close = async () => {
    end();
    await removeRaw(container);
  };
  return { address: await addressOf(container), port: source, close };
};

/** Says how many bytes came first, and then reads without end. */
const download = ({ address, port }: { address: string; port: number }): string[] => [
  'bash',
  '-c',
  `exec 3<>/dev/tcp/${address}/${port} && head -c 1 <&3 | wc -c && exec cat <&3 >/dev/null`,
];

const stop = async (container: Raw): Promise<void> => {
  await begin(container, ['bash', '-c', 'pkill -9 -x cat; echo ended']);
};

const p95 = async (type: () => Promise<number>): Promise<number> => {
  const times: number[] = [];
  for (let key = 0; key < keysInRound; key += 1) times.push(await type());
  times.sort((a, b) => a - b);
  return times[Math.floor(keysInRound * 0.95)] ?? Number.NaN;
};

/** A session that may reach the source, by the bare container behind it. */
const openDownloader = async ({ call }: Client, docker: BenchRuntime, { address, port }: { address: string; port: number }, id: string) => {
  const rule = { action: 'allow' as const, hosts: [address], ports: [port], protocol: 'tcp' as const, allow_private: true };
  await call('environments.update', {
    environment_id: id,
    patch: { network_policy: { version: 'v1', rules: [rule] }, expected_access: { network_policy: {}, privileged: false } },
  });
  const launched = await call('sessions.launch', { environment_id: id });
  for (;;) {
    const { status, container_id, seal, message } = await call('sessions.get', { session_id: launched.id });
    if (status === 'failed') throw new Error(`The session of the bench did not start: ${message}`);
    if (container_id !== null && seal !== null) return docker.client.getContainer(container_id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const measure = async (type: () => Promise<number>, behind: Raw, onBridge: Raw, source: { address: string; port: number }) => {
  const added = { gate: [] as number[], bridge: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const quiet = await p95(type);
    for (const [name, container] of [['gate', behind] as const, ['bridge', onBridge] as const]) {
      const { said, end } = await begin(container, download(source));
      if (said.trim() !== '1') throw new Error(`Nothing came through the ${name}.`);
      const busy = await p95(type);
      await stop(container);
      end();
      if (round > 0) added[name].push(busy - quiet);
    }
  }
  return { gate: Math.max(0, median(added.gate)), bridge: Math.max(0, median(added.bridge)) };
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-download-'));
  const docker = benchDocker();
  const { host, client } = await openHere(folder);
  const closers: (() => Promise<void>)[] = [];
  try {
    const { runtimes } = await client.call('runtimes.list', {});
    const runtime = runtimes.find(({ address }) => address === `unix://${docker.socket}`)?.id ?? '';
    const typed = await makePinned(client.call, runtime, 'base: debian\n');
    const other = await makePinned(client.call, runtime, 'base: debian\n');
    const image = typed.image.image_id ?? '';
    const source = await openSource(docker, image, folder);
    closers.push(source.close);
    const behind = await openDownloader(client, docker, source, other.id);
    const onBridge = await createRaw(docker, image, null);
    closers.push(() => removeRaw(onBridge));
    await onBridge.start();
    const { gate, bridge } = await measure(await openOurs(client, typed.id), behind, onBridge, source);
    const limit = { baseline: limitMs, against: `the limit of ${limitMs} ms` };
    return [
      {
        what: "What a sandbox's download at full speed through its gate adds to a keystroke's echo: the 95th of 100",
        ...{ ours: gate, ...limit, bound: { kind: 'at most', ratio: 1 } },
      },
      { what: 'The same while a container on the plain bridge downloads', ours: bridge, ...limit, bound: null },
    ];
  } finally {
    for (const close of closers.reverse()) await close();
    await closeHere(host, client);
    await removeImages(folder);
    await rm(folder, { recursive: true, force: true });
  }
};
