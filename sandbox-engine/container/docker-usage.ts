// Counters and disk use as a daemon tells them.
// Source: Docker Engine API, "ContainerStats", "ContainerChanges", "SystemDataUsage", "ImageHistory"; Podman answers the same calls.
import type { ContainerUsage, DiskUse, UsageCalls } from './container-usage.ts';
import type { DockerConnection } from './docker-connection.ts';
import { readCounters } from './docker-counters.ts';
import { orNull } from './docker-images.ts';
import { whileOthersGo } from './while-others-go.ts';

interface DiskAnswer {
  Volumes?: { Name: string; UsageData?: { Size?: number } | null }[] | null;
  Containers?: { Id: string; SizeRw?: number }[] | null;
  BuildCache?: { Size?: number; Shared?: boolean }[] | null;
}

interface HistoryAnswer {
  Size?: number;
}

const nanosecondsAMillisecond = 1_000_000;

const readUsage = async (connection: DockerConnection, id: string): Promise<ContainerUsage> => {
  const counters = await readCounters(connection, id);
  return {
    cpuMs: (counters?.cpuNs ?? 0) / nanosecondsAMillisecond,
    networkBytes: (counters?.receivedBytes ?? 0) + (counters?.sentBytes ?? 0),
  };
};

const diskAnswer = (connection: DockerConnection, type: string, signal: AbortSignal): Promise<DiskAnswer> =>
  // Newer daemons measure only what is asked for, older ones and Podman all.
  whileOthersGo(
    connection,
    () => connection.json<DiskAnswer>({ what: 'measure the disk', method: 'GET', path: '/system/df', query: { type }, signal }),
    signal,
  );

const sizeOrNull = (size = -1): number | null => (size < 0 ? null : size);

const readDiskUse = async (connection: DockerConnection, signal: AbortSignal): Promise<DiskUse> => {
  const ofVolumes = await diskAnswer(connection, 'volume', signal);
  const isWhole = ofVolumes.Containers !== undefined && ofVolumes.Containers !== null;
  const ofContainers = isWhole ? ofVolumes : await diskAnswer(connection, 'container', signal);
  const ofBuilds = isWhole ? ofVolumes : await diskAnswer(connection, 'build-cache', signal);
  const own = (ofBuilds.BuildCache ?? []).filter(({ Shared }) => Shared !== true);
  return {
    volumes: (ofVolumes.Volumes ?? []).map(({ Name, UsageData }) => ({ name: Name, bytes: sizeOrNull(UsageData?.Size) })),
    containers: (ofContainers.Containers ?? []).map(({ Id, SizeRw = 0 }) => ({ id: Id, bytes: Math.max(0, SizeRw) })),
    buildCacheBytes: connection.isPodman ? null : own.reduce((sum, { Size = 0 }) => sum + Math.max(0, Size), 0),
  };
};

const imageSteps = async (connection: DockerConnection, id: string): Promise<number[]> => {
  const request = { what: 'read the history of an image', method: 'GET', path: `/images/${encodeURIComponent(id)}/history` } as const;
  const answer = (await orNull(connection.json<HistoryAnswer[]>(request))) ?? [];
  return answer.toReversed().map(({ Size = 0 }) => Math.max(0, Size));
};

const leaveNetworks = async (connection: DockerConnection, id: string): Promise<void> => {
  const request = { what: 'look at the networks of a container', method: 'GET', path: `/containers/${id}/json` } as const;
  const answer = await connection.json<{ NetworkSettings?: { Networks?: Record<string, unknown> | null } }>(request);
  for (const name of Object.keys(answer.NetworkSettings?.Networks ?? {})) {
    if (name === 'none' || name === 'host') continue;
    const path = `/networks/${encodeURIComponent(name)}/disconnect`;
    const body = { Container: id, Force: true };
    await connection.json({ what: 'take a container off its network', method: 'POST', path, body });
  }
};

/** These calls of the port. */
export const createUsageCalls = (connection: DockerConnection): UsageCalls => ({
  readUsage: (id) => readUsage(connection, id),
  listChanges: async (id, signal) => {
    const request = { what: 'list what a container has changed', method: 'GET', path: `/containers/${id}/changes`, signal } as const;
    return ((await connection.json<{ Path?: string }[] | null>(request)) ?? []).flatMap(({ Path }) => Path ?? []);
  },
  readDiskUse: (signal) => readDiskUse(connection, signal),
  imageSteps: (id) => imageSteps(connection, id),
  renameContainer: async (id, name) => {
    await connection.json({ what: 'rename a container', method: 'POST', path: `/containers/${id}/rename`, query: { name } });
  },
  leaveNetworks: (id) => leaveNetworks(connection, id),
});
