// What a container has used, asked of this machine's own kernel: Docker does not tell it of a container that joins another one which Docker made
// no network for, as it makes none for gates. Only where the container runs under this kernel, which its id in the name of its control group proves.
// Source: cgroups(7), /proc/PID/cgroup; kernel documentation, cgroup-v1 (cpuacct, memory, pids) and cgroup-v2.
import { readFile } from 'node:fs/promises';
import type { ContainerCounters } from './container-counters.ts';

const root = '/sys/fs/cgroup';

/** Where the kernel tells of the group with these lines of /proc/PID/cgroup. */
export interface GroupPlace {
  version: 1 | 2;
  /** The folder of a controller. */
  folderOf: (controller: 'cpuacct' | 'memory' | 'pids') => string;
}

/** Null when it is not the group of this container. Pure. */
export const groupOf = (lines: string, containerId: string): GroupPlace | null => {
  const groups = lines.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line)?.slice(1) ?? []);
  const ours = groups.filter(([, path = '']) => path.includes(containerId) && !path.split('/').includes('..'));
  const firstOf = (controller: string) => ours.find(([names = '']) => names.split(',').includes(controller))?.[1];
  if (firstOf('memory') !== undefined)
    return { version: 1, folderOf: (controller) => `${root}/${controller}${firstOf(controller) ?? '/'}` };
  const second = ours.find(([names]) => names === '')?.[1];
  return second === undefined ? null : { version: 2, folderOf: () => `${root}${second}` };
};

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Version 1 says "no limit" by a number next to the largest one. */
const noLimit = 2 ** 60;

const numberIn = (text: string): number | null => (/^\d+\s*$/.test(text) && Number(text) < noLimit ? Number(text) : null);

const lineIn = (text: string, name: string): number | null => {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

const files = {
  1: { cpu: 'cpuacct.usage', memory: 'memory.usage_in_bytes', limit: 'memory.limit_in_bytes', idle: 'total_inactive_file' },
  2: { cpu: 'cpu.stat', memory: 'memory.current', limit: 'memory.max', idle: 'inactive_file' },
} as const;

/** Network is not told: it is another container's. */
const readGroup = async ({ version, folderOf }: GroupPlace): Promise<ContainerCounters | null> => {
  const { cpu, memory, limit, idle } = files[version];
  const [cpuText = '', used = '', most = '', stat = '', processes = '', mostProcesses = ''] = await Promise.all(
    [
      `${folderOf('cpuacct')}/${cpu}`,
      `${folderOf('memory')}/${memory}`,
      `${folderOf('memory')}/${limit}`,
      `${folderOf('memory')}/memory.stat`,
      `${folderOf('pids')}/pids.current`,
      `${folderOf('pids')}/pids.max`,
    ].map(textOf),
  );
  const microseconds = lineIn(cpuText, 'usage_usec');
  const cpuNs = version === 1 ? numberIn(cpuText) : microseconds === null ? null : microseconds * 1_000;
  const bytes = numberIn(used);
  if (cpuNs === null && bytes === null) return null;
  return {
    cpuNs,
    memoryBytes: bytes === null ? null : Math.max(0, bytes - (lineIn(stat, idle) ?? 0)),
    memoryLimitBytes: numberIn(most),
    processes: numberIn(processes),
    processLimit: numberIn(mostProcesses),
    receivedBytes: null,
    sentBytes: null,
  };
};

/** Null where this kernel knows no such container, or does not show it to this user. */
export const readGroupCounters = async (pid: number, containerId: string): Promise<ContainerCounters | null> => {
  const place = pid > 0 ? groupOf(await textOf(`/proc/${pid}/cgroup`), containerId) : null;
  return place === null ? null : await readGroup(place);
};
