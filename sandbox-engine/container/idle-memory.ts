// How much of a container's memory are file pages that the kernel would give back at once: asked of this machine's own kernel, for a runtime
// that does not tell (Podman). Only where the runtime runs under this kernel.
// Source: cgroups(7), /proc/PID/cgroup; kernel documentation, cgroup-v1/memory and cgroup-v2, memory.stat.
import { readFile } from 'node:fs/promises';

const root = '/sys/fs/cgroup';

/** Where the kernel tells of the memory of a process' group, by the lines of its /proc/PID/cgroup; null when it is in none. Pure. */
export const memoryStatOf = (lines: string): string | null => {
  const groups = lines.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line)?.slice(1) ?? []);
  const first = groups.find(([controllers = '']) => controllers.split(',').includes('memory'))?.[1];
  if (first !== undefined) return `${root}/memory${first}/memory.stat`;
  const second = groups.find(([controllers]) => controllers === '')?.[1];
  return second === undefined ? null : `${root}${second}/memory.stat`;
};

/** Bytes; 0 where it cannot be read. */
export const readIdleMemory = async (pid: number): Promise<number> => {
  try {
    const path = memoryStatOf(await readFile(`/proc/${pid}/cgroup`, 'utf8'));
    if (path === null || path.includes('..')) return 0;
    const text = await readFile(path, 'utf8');
    return Number((/^total_inactive_file (\d+)$/m.exec(text) ?? /^inactive_file (\d+)$/m.exec(text))?.[1] ?? 0);
  } catch {
    // A container that has just ended, or groups that this user may not see.
    return 0;
  }
};
