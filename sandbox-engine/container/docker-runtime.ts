// The adapter that makes a container runtime out of a daemon that speaks the Docker API: Docker 20.10+ and Podman 4.3+.
// It only puts the parts together; each docker-*.ts beside it knows one kind of object.
import type { ContainerRuntime, RuntimeKind } from './container-runtime.ts';
import { buildImage } from './docker-build.ts';
import { commitContainer } from './docker-commit.ts';
import type { DockerTarget } from './docker-connection.ts';
import { createDockerConnection } from './docker-connection.ts';
import { createContainerCalls } from './docker-containers.ts';
import { readCounters } from './docker-counters.ts';
import { startExec } from './docker-exec.ts';
import { createImageCalls } from './docker-images.ts';
import type { DaemonFacts } from './docker-info.ts';
import { readDaemonFacts } from './docker-info.ts';
import { createUsageCalls } from './docker-usage.ts';
import { createStoreCalls } from './docker-volumes.ts';

export interface DockerRuntimeOptions {
  id: string;
  kind: RuntimeKind;
  connection: DockerTarget;
}

/** A runtime that can be let go of: `close` drops the idle connections to the daemon. */
export interface DockerRuntime extends ContainerRuntime {
  /** Has `info` ask again: the daemon was away and may be another one now. */
  forgetInfo: () => void;
  close: () => void;
}

/** Makes the runtime behind a Docker or Podman socket; nothing is opened before the first call. */
export const createDockerRuntime = ({ id, kind, connection: target }: DockerRuntimeOptions): DockerRuntime => {
  const connection = createDockerConnection(target, kind === 'podman');
  let asked: Promise<DaemonFacts> | null = null;
  const facts = (): Promise<DaemonFacts> => {
    asked ??= readDaemonFacts(connection).catch((thrown: unknown) => {
      asked = null;
      throw thrown;
    });
    return asked;
  };
  const stores = createStoreCalls(connection);
  return {
    id,
    kind,
    address: target.address,
    ping: async () => void (await connection.json({ what: 'reach the runtime', method: 'GET', path: '/_ping' })),
    // Asked once: a launch must not wait for what never changes (Podman takes half a second to answer), and a rebuild asks nothing.
    info: facts,
    forgetInfo: () => {
      asked = null;
    },
    ...createImageCalls(connection),
    ...createContainerCalls(connection, { facts, createVolume: stores.createVolume }),
    ...stores,
    ...createUsageCalls(connection),
    readCounters: (containerId) => readCounters(connection, containerId),
    buildImage: async (request) => buildImage(connection, await facts(), request),
    commitContainer: (request) => commitContainer(connection, request),
    exec: async (containerId, spec) => startExec(connection, containerId, spec),
    close: connection.close,
  };
};
