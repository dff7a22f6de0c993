// The runtimes of this machine as dockerode sees them: the raw way that ours is compared with.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import Docker from 'dockerode';
import { createBody } from '../../sandbox-engine/container/container-body.ts';
import type { ContainerSpec } from '../../sandbox-engine/container/container-runtime.ts';
import { keepAlive } from '../../sandbox-engine/container/keep-alive.ts';

export interface BenchRuntime {
  kind: 'docker' | 'podman';
  socket: string;
  client: Docker;
}

const find = (): BenchRuntime[] => {
  const places = [
    { kind: 'docker', socket: process.env['SANDLOT_TEST_DOCKER'] ?? '/var/run/docker.sock' },
    { kind: 'podman', socket: process.env['SANDLOT_TEST_PODMAN'] ?? '/run/podman/podman.sock' },
  ] as const;
  return places
    .filter(({ socket }) => existsSync(socket))
    .map(({ kind, socket }) => ({ kind, socket, client: new Docker({ socketPath: socket }) }));
};

let found: BenchRuntime[] | null = null;

/** Docker, and Podman where it is there. */
export const benchRuntimes = (): BenchRuntime[] => {
  found ??= find();
  return found;
};

/** Docker: most benches need one runtime only. */
export const benchDocker = (): BenchRuntime => {
  const docker = benchRuntimes().find(({ kind }) => kind === 'docker');
  if (docker === undefined) throw new Error('There is no Docker socket.');
  return docker;
};

const gib = 1024 ** 3;

/** Creates a container with the options that a session of size small on an open network has, and some more. */
export const createRaw = async (
  { kind, client }: BenchRuntime,
  image: string,
  volume: string | null,
  more: Partial<ContainerSpec> = {},
): Promise<Docker.Container> => {
  const can = { kind, isElsewhere: false, canLimitCpu: true, canLimitMemory: true, canLimitPids: true };
  const spec = {
    ...{ name: `sandlot-bench-${process.pid}-${performance.now().toFixed(0)}`, image, env: ['LANG=C.UTF-8'], labels: {} },
    ...{ command: keepAlive, user: 'sandbox', workdir: '/workspace', hostname: 'bench' },
    ...{ network: 'bridge' as const, cpus: 1, memoryBytes: 2 * gib, stopTimeoutSeconds: 1 },
    mounts: volume === null ? [] : [{ kind: 'volume' as const, source: volume, target: '/workspace' }],
    ...more,
  };
  return await client.createContainer({ ...createBody(spec, can), name: spec.name } as Docker.ContainerCreateOptions);
};

/** Opens a shell with a terminal the raw way. */
export const openRawShell = async (container: Docker.Container): Promise<Duplex> => {
  const exec = await container.exec({
    ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true },
    ...{ Cmd: ['bash', '-l'], Env: ['TERM=xterm-256color', 'COLORTERM=truecolor'], User: 'sandbox', WorkingDir: '/workspace' },
  });
  return await exec.start({ hijack: true, stdin: true, Tty: true });
};

/** Takes a container away with its anonymous volumes. */
export const removeRaw = async (container: Docker.Container): Promise<void> => {
  await container.remove({ force: true, v: true });
};

/** Volume, create, start and a shell to its first byte, by hand: milliseconds. */
export const launchRaw = async (runtime: BenchRuntime, image: string): Promise<number> => {
  const began = performance.now();
  const volume = `sandlot-bench-${process.pid}-${began.toFixed(0)}`;
  await runtime.client.createVolume({ Name: volume });
  const container = await createRaw(runtime, image, volume);
  await container.start();
  const shell = await openRawShell(container);
  await once(shell, 'data');
  const took = performance.now() - began;
  shell.destroy();
  await removeRaw(container);
  await runtime.client.getVolume(volume).remove();
  return took;
};
