// Reads what a container uses. Docker and Podman answer alike; which numbers are in it depends on the machine's cgroups (v1 or v2).
// Source: Docker Engine API, "ContainerStats"; cgroups(7); kernel documentation, cgroup-v1/memory and cgroup-v2.
import type { ContainerCounters } from './container-counters.ts';
import type { DockerConnection } from './docker-connection.ts';
import { orNull } from './docker-images.ts';
import { readGroupCounters } from './group-counters.ts';

interface CountersAnswer {
  read?: string;
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: { usage?: number; limit?: number; stats?: Record<string, number> | null };
  pids_stats?: { current?: number; limit?: number };
  networks?: Record<string, { rx_bytes?: number; tx_bytes?: number }> | null;
}

/** No machine has as much: cgroups say so where there is no limit. */
const noLimit = 2 ** 53;

const numberOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value >= 0 && value < noLimit ? value : null;

const memoryOf = ({ usage, stats }: NonNullable<CountersAnswer['memory_stats']>): number | null => {
  const all = numberOrNull(usage);
  if (all === null) return null;
  // Under v1 `total_` counts what is below, too; v2 knows no other.
  const idle = numberOrNull(stats?.['total_inactive_file'] ?? stats?.['inactive_file']) ?? 0;
  return idle <= all ? all - idle : all;
};

const sumOf = (networks: NonNullable<CountersAnswer['networks']>, key: 'rx_bytes' | 'tx_bytes'): number =>
  Object.values(networks).reduce((total, one) => total + (numberOrNull(one[key]) ?? 0), 0);

/** What the answer says; a container that does not run has no processes and no time of reading. Pure. */
export const countersOf = (answer: CountersAnswer): ContainerCounters | null => {
  if (answer.read === undefined || answer.read.startsWith('0001-')) return null;
  const networks = answer.networks ?? {};
  const hasNetworks = Object.keys(networks).length > 0;
  return {
    cpuNs: numberOrNull(answer.cpu_stats?.cpu_usage?.total_usage),
    memoryBytes: memoryOf(answer.memory_stats ?? {}),
    memoryLimitBytes: numberOrNull(answer.memory_stats?.limit),
    processes: numberOrNull(answer.pids_stats?.current),
    processLimit: numberOrNull(answer.pids_stats?.limit) || null,
    receivedBytes: hasNetworks ? sumOf(networks, 'rx_bytes') : null,
    sentBytes: hasNetworks ? sumOf(networks, 'tx_bytes') : null,
  };
};

/** Containers of which a daemon tells nothing though they run: it is not asked again, because it takes its time to say so. */
const untold = new WeakMap<DockerConnection, Set<string>>();

const untoldBy = (connection: DockerConnection): Set<string> => {
  const ids = untold.get(connection) ?? new Set();
  untold.set(connection, ids);
  return ids;
};

/** Asks the kernel of this machine, where it is the container's. */
const askKernel = async (connection: DockerConnection, id: string): Promise<ContainerCounters | null> => {
  const request = { what: `look at container ${id.slice(0, 12)}`, method: 'GET', path: `/containers/${id}/json` } as const;
  const found = await orNull(connection.json<{ Id: string; State?: { Running?: boolean; Pid?: number } }>(request));
  if (found?.State?.Running !== true) return null;
  const counters = await readGroupCounters(found.State.Pid ?? 0, found.Id);
  if (counters !== null) untoldBy(connection).add(id);
  return counters;
};

/** One look; `one-shot` keeps the daemon from waiting for a second one. */
export const readCounters = async (connection: DockerConnection, id: string): Promise<ContainerCounters | null> => {
  if (untoldBy(connection).has(id)) return await askKernel(connection, id);
  const request = {
    what: `look at what container ${id.slice(0, 12)} uses`,
    method: 'GET',
    path: `/containers/${id}/stats`,
    query: { stream: false, 'one-shot': true },
  } as const;
  // Podman answers nothing for one that has ended.
  const answer = await orNull(connection.json<CountersAnswer | undefined>(request));
  if (answer === null || answer === undefined) return null;
  return countersOf(answer) ?? (await askKernel(connection, id));
};
