// Containers on one daemon: create, start, stop, remove, look at, wait, copy. Running commands inside is in docker-exec.ts.
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import { createBody } from './container-body.ts';
import type { ContainerDetails, ContainerRuntime, ContainerSpec, ContainerSummary } from './container-runtime.ts';
import type { DaemonRequest, DockerConnection } from './docker-connection.ts';
import { statusOf } from './docker-errors.ts';
import { carriesLabels, labelFilters, orNull } from './docker-images.ts';
import type { DaemonFacts } from './docker-info.ts';

type ContainerCalls = Pick<
  ContainerRuntime,
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'killContainer'
  | 'pauseContainer'
  | 'unpauseContainer'
  | 'removeContainer'
  | 'inspectContainer'
  | 'listContainers'
  | 'waitContainer'
  | 'putArchive'
  | 'getArchive'
>;

interface Attachment {
  IPAddress?: string;
  Gateway?: string;
}

interface ContainerAnswer {
  Id: string;
  Name?: string;
  Image?: string;
  Config?: { Image?: string; Labels?: Record<string, string> | null };
  State?: { Status?: string; ExitCode?: number; OOMKilled?: boolean; Pid?: number; StartedAt?: string };
  HostConfig?: { NetworkMode?: string; NanoCpus?: number; CpuQuota?: number; CpuPeriod?: number };
  NetworkSettings?: Attachment & { Networks?: Record<string, Attachment> | null };
  Mounts?: { Type?: string; Name?: string; Source?: string; Destination?: string }[] | null;
}

interface ContainerRow {
  Id: string;
  Names?: string[] | null;
  State?: string;
  ImageID?: string;
  Labels?: Record<string, string> | null;
  Created?: number;
}

const statuses = new Set(['created', 'running', 'paused', 'restarting', 'exited', 'dead', 'removing']);
// Podman knows finer states than Docker.
const otherStatuses: Record<string, ContainerDetails['status']> = {
  configured: 'created',
  initialized: 'created',
  stopped: 'exited',
  stopping: 'running',
};

const statusFrom = (word = ''): ContainerDetails['status'] => {
  const lower = word.toLowerCase();
  return statuses.has(lower) ? (lower as ContainerDetails['status']) : (otherStatuses[lower] ?? 'unknown');
};

// A time of year 1 means never.
const timeOrNull = (time = ''): string | null => (time === '' || time.startsWith('0001-') ? null : time);

const imageIdOf = (id = ''): string => (id === '' || id.startsWith('sha256:') ? id : `sha256:${id}`);

const stateOf = (state: NonNullable<ContainerAnswer['State']>) => {
  const status = statusFrom(state.Status);
  return {
    status,
    exitCode: status === 'exited' || status === 'dead' ? (state.ExitCode ?? null) : null,
    oomKilled: state.OOMKilled ?? false,
    pid: state.Pid ?? 0,
    startedAt: timeOrNull(state.StartedAt),
  };
};

/** Newer daemons tell the addresses by network only. */
const placeOf = ({ NetworkSettings: all = {} }: ContainerAnswer): Pick<ContainerDetails, 'address' | 'gateway'> => {
  const attached = [all, ...Object.values(all.Networks ?? {})].find(({ IPAddress = '' }) => IPAddress !== '');
  return { address: attached?.IPAddress ?? null, gateway: attached?.Gateway || null };
};

const cpusOf = ({ NanoCpus = 0, CpuQuota = 0, CpuPeriod = 0 }: NonNullable<ContainerAnswer['HostConfig']>): number | null => {
  if (NanoCpus > 0) return NanoCpus / 1e9;
  return CpuQuota > 0 && CpuPeriod > 0 ? CpuQuota / CpuPeriod : null;
};

const detailsOf = (answer: ContainerAnswer): ContainerDetails => ({
  id: answer.Id,
  name: (answer.Name ?? '').replace(/^\//, ''),
  image: answer.Config?.Image ?? '',
  imageId: imageIdOf(answer.Image),
  labels: answer.Config?.Labels ?? {},
  networkMode: answer.HostConfig?.NetworkMode ?? '',
  ...placeOf(answer),
  cpus: cpusOf(answer.HostConfig ?? {}),
  mounts: (answer.Mounts ?? []).map((mount) => ({
    type: mount.Type ?? '',
    name: mount.Name ?? '',
    source: mount.Source ?? '',
    target: mount.Destination ?? '',
  })),
  ...stateOf(answer.State ?? {}),
});

const summaryOf = (row: ContainerRow): ContainerSummary => ({
  id: row.Id,
  name: (row.Names?.[0] ?? '').replace(/^\//, ''),
  status: statusFrom(row.State),
  imageId: imageIdOf(row.ImageID),
  labels: row.Labels ?? {},
  createdAt: new Date((row.Created ?? 0) * 1000).toISOString(),
});

const short = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id.slice(0, 12) : id);

const post = (connection: DockerConnection, id: string, action: string, query: DaemonRequest['query'] = {}): Promise<unknown> =>
  connection.json({ what: `${action} container ${short(id)}`, method: 'POST', path: `/containers/${id}/${action}`, query });

const inspect = async (connection: DockerConnection, id: string): Promise<ContainerDetails | null> => {
  const request = { what: `inspect container ${short(id)}`, method: 'GET', path: `/containers/${id}/json` } as const;
  const answer = await orNull(connection.json<ContainerAnswer>(request));
  return answer === null ? null : detailsOf(answer);
};

const isBeingRemoved = (thrown: unknown): boolean =>
  thrown instanceof SandlotError &&
  statusOf(thrown) === 409 &&
  /already in progress|is being removed|removal of container/i.test(thrown.message);

const waitUntilGone = async (connection: DockerConnection, id: string): Promise<void> => {
  const deadline = performance.now() + 60_000;
  for (let pause = 10; performance.now() < deadline; pause = Math.min(pause * 2, 500)) {
    if ((await inspect(connection, id)) === null) return;
    await delay(pause);
  }
  throw new SandlotError('timeout', `Container ${short(id)} is still being removed after 60 seconds.`);
};

const orRefused = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call;
  } catch (thrown) {
    if (statusOf(thrown) === null) throw thrown;
  }
};

const removeContainer = async (connection: DockerConnection, id: string): Promise<void> => {
  // Podman refuses to remove a container whose network another one has joined, unless told to take that one too.
  const query = { force: true, v: true, ...(connection.isPodman ? { depend: true } : {}) };
  // Docker kills at once; Podman would first wait out the stop timeout of what does not listen. Refused means that nothing runs.
  if (connection.isPodman) await orRefused(post(connection, id, 'kill', { signal: 'SIGKILL' }));
  try {
    await orNull(connection.json({ what: `remove container ${short(id)}`, method: 'DELETE', path: `/containers/${id}`, query }));
  } catch (thrown) {
    if (!isBeingRemoved(thrown)) throw thrown;
  }
  await waitUntilGone(connection, id);
};

const waitContainer = async (connection: DockerConnection, id: string, signal: AbortSignal): Promise<number> => {
  const request = { what: `wait for container ${short(id)}`, method: 'POST', path: `/containers/${id}/wait`, signal } as const;
  const answer = await connection.json<{ StatusCode?: number; Error?: { Message?: string } | null }>(request);
  if (answer?.StatusCode !== undefined) return answer.StatusCode;
  throw new SandlotError('runtime_error', `Could not ${request.what}: the runtime did not say how it ended.`);
};

/** What must be known of the daemon before a container is made. */
export interface ContainerContext {
  facts: () => Promise<DaemonFacts>;
  createVolume: (name: string, labels: Record<string, string>) => Promise<void>;
}

const isMissingImage = (thrown: unknown): boolean =>
  thrown instanceof SandlotError && statusOf(thrown) === 404 && /no such image|unable to find|image not known/i.test(thrown.message);

const missingImage = (spec: ContainerSpec, cause: unknown): SandlotError =>
  new SandlotError('image_missing', `Could not create container ${spec.name}: the image ${spec.image} is not there.`, { cause });

const createContainer = async (connection: DockerConnection, context: ContainerContext, spec: ContainerSpec): Promise<string> => {
  for (const mount of spec.mounts ?? []) {
    // Made beforehand, because Podman drops the labels of a volume that a container makes on the way.
    if (mount.kind === 'volume' && mount.labels !== undefined) await context.createVolume(mount.source, mount.labels);
  }
  const body = createBody(spec, await context.facts());
  const request = {
    what: `create container ${spec.name}`,
    method: 'POST',
    path: '/containers/create',
    query: { name: spec.name },
    body,
  } as const;
  try {
    return (await connection.json<{ Id: string }>(request)).Id;
  } catch (cause) {
    if (!isMissingImage(cause)) throw cause;
    throw missingImage(spec, cause);
  }
};

/** The library does not hear of a stream that fails, and would wait for its end. */
const putArchive = async (connection: DockerConnection, id: string, path: string, tar: Readable): Promise<void> => {
  const over = new AbortController();
  tar.once('error', (cause) => over.abort(cause));
  const request = { what: `write to ${path} in container ${short(id)}`, method: 'PUT', path: `/containers/${id}/archive` } as const;
  try {
    await connection.json({ ...request, query: { path }, upload: tar, signal: over.signal });
  } catch (thrown) {
    throw tar.errored ?? thrown;
  } finally {
    tar.destroy();
  }
};

/** The container calls of the port. */
export const createContainerCalls = (connection: DockerConnection, context: ContainerContext): ContainerCalls => ({
  createContainer: (spec) => createContainer(connection, context, spec),
  startContainer: async (id) => void (await post(connection, id, 'start')),
  stopContainer: async (id, timeoutSeconds) => void (await post(connection, id, 'stop', { t: timeoutSeconds })),
  killContainer: async (id, signalName = 'SIGKILL') => void (await post(connection, id, 'kill', { signal: signalName })),
  pauseContainer: async (id) => void (await post(connection, id, 'pause')),
  unpauseContainer: async (id) => void (await post(connection, id, 'unpause')),
  removeContainer: (id) => removeContainer(connection, id),
  inspectContainer: (id) => inspect(connection, id),
  listContainers: async (labels) => {
    const query = { all: true, filters: labelFilters(labels) };
    const rows = await connection.json<ContainerRow[]>({ what: 'list containers', method: 'GET', path: '/containers/json', query });
    return rows.map(summaryOf).filter((container) => carriesLabels(container.labels, labels));
  },
  waitContainer: (id, signal) => waitContainer(connection, id, signal),
  putArchive: (id, path, tar) => putArchive(connection, id, path, tar),
  getArchive: (id, path) =>
    connection.stream({
      what: `read ${path} from container ${short(id)}`,
      method: 'GET',
      path: `/containers/${id}/archive`,
      query: { path },
    }),
});
