// A real host process with a data folder of its own, and a client of its socket: what the command line and a second window have.
// Takes away everything that it made in the runtimes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHost, type HostClient } from '../../main/host/connect-host.ts';
import { resolveSocketPath } from '../../main/host/data-folder.ts';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { EnvironmentView } from '../../sandbox-engine/contract/model.ts';
import { type BenchRuntime, benchRuntimes } from './bench-runtimes.ts';

export interface BenchHost {
  pid: number;
  folder: string;
  /** Throws what the host answers as a failure. */
  call: <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;
  /** The bare call: a failure is a value. */
  send: (name: CallName, input: unknown) => Promise<unknown>;
  /** The returned function ends it. */
  subscribe: (listener: (event: AppEvent) => void) => () => void;
  /** Resolves when the stream is longer than `size`, with its length. */
  grown: (streamId: string, size: number) => Promise<number>;
  /** What the host calls the runtime at this socket. */
  runtimeId: (runtime: BenchRuntime) => Promise<string>;
  /** An environment with this recipe whose image is built, boot-tested and pinned. */
  pinned: (runtimeId: string, recipeYaml: string) => Promise<EnvironmentView>;
  close: () => Promise<void>;
}

const entry = join(import.meta.dirname, '../../dist/app/headless.js');

const start = async (folder: string, docker: string): Promise<ChildProcess> => {
  const podman = benchRuntimes().find(({ kind }) => kind === 'podman');
  const env = {
    ...process.env,
    SANDLOT_HOME: folder,
    DOCKER_HOST: `unix://${docker}`,
    ...(podman === undefined ? {} : { CONTAINER_HOST: `unix://${podman.socket}` }),
  };
  const child = spawn(process.execPath, [...(process.env['SANDLOT_BENCH_NODE'] ?? '').split(' ').filter(Boolean), entry], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => null)]);
  if (ready === null) throw new Error('The host of the bench did not start.');
  return child;
};

/** Takes away the images that the host of a data folder made. */
export const removeImages = async (folder: string): Promise<void> => {
  const home = (await readFile(join(folder, 'home-id'), 'utf8').catch(() => '')).trim();
  if (home === '') return;
  for (const { client } of benchRuntimes()) {
    const images = await client.listImages({ filters: { label: [`${labelKeys.home}=${home}`] } });
    // The base with the runtime layer is shared by all data folders, and costs minutes: it stays.
    for (const image of images.filter(({ Labels }) => Labels?.[labelKeys.role] !== 'base')) {
      await client
        .getImage(image.Id)
        .remove({ force: true })
        .catch(() => undefined);
    }
  }
};

/** Follows the sizes of all streams that a host tells of. */
export const followStreams = (client: Pick<HostClient, 'subscribe'>): BenchHost['grown'] => {
  const sizes = new Map<string, number>();
  const waiting = new Map<string, (size: number) => void>();
  client.subscribe((event) => {
    if (event.name !== 'stream.grew') return;
    sizes.set(event.payload.stream_id, event.payload.size);
    waiting.get(event.payload.stream_id)?.(event.payload.size);
  });
  // One promise and no more, as `once` has for the rivals.
  return (streamId, size) =>
    new Promise((resolve) => {
      const known = sizes.get(streamId) ?? 0;
      if (known > size) return resolve(known);
      waiting.set(streamId, (now) => {
        if (now <= size) return;
        waiting.delete(streamId);
        resolve(now);
      });
    });
};

/** Calls whose failures are thrown. */
export const callerOf =
  (client: Pick<HostClient, 'call'>): BenchHost['call'] =>
  async (name, input) => {
    const reply = await client.call(name, input);
    if (reply.ok) return reply.value;
    throw new Error(`${name}: ${reply.error.message}`);
  };

/** Makes an environment with this recipe and waits until its image is pinned. */
export const makePinned = async (call: BenchHost['call'], runtime: string, recipe_yaml: string): Promise<EnvironmentView> => {
  const { id } = await call('environments.create', { body: { name: 'bench', recipe_yaml, runtime, network_policy: {} } });
  const build = await call('builds.start', { environment_id: id, pin: true });
  for (;;) {
    const { status, error } = await call('builds.get', { build_id: build.id });
    if (status === 'failed' || status === 'cancelled') throw new Error(`The image of the bench was not built: ${error?.message ?? status}`);
    const environment = await call('environments.get', { environment_id: id });
    if (environment.image.state === 'active') return environment;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Starts a host of its own. `docker` replaces the socket of Docker, for one that counts. */
export const openBenchHost = async (docker = benchRuntimes()[0]?.socket ?? ''): Promise<BenchHost> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-bench-'));
  const child = await start(folder, docker);
  const client = await connectHost(resolveSocketPath(folder, process.env));
  if (client === null) throw new Error('The host of the bench does not listen.');
  const call = callerOf(client);
  return {
    pid: child.pid ?? 0,
    folder,
    call,
    send: (name, input) => client.call(name, input as never),
    subscribe: (listener) => client.subscribe(listener),
    grown: followStreams(client),
    runtimeId: async ({ kind, socket }) => {
      const { runtimes } = await call('runtimes.list', {});
      const found = runtimes.find(({ address }) => address === `unix://${kind === 'docker' ? docker : socket}`);
      if (found?.id === undefined) throw new Error(`The host does not see ${socket}.`);
      return found.id;
    },
    pinned: (runtimeId, recipeYaml) => makePinned(call, runtimeId, recipeYaml),
    close: async () => {
      const { sessions } = await call('sessions.list', {});
      for (const { id } of sessions) await call('sessions.delete', { session_id: id });
      client.close();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await removeImages(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
