// Tells one process from a later one that got the same pid. Source: proc(5), field 22 of /proc/PID/stat.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** When a process began, as an opaque text that no other process of this pid has; null when there is no such process. */
export const processStart = async (pid: number): Promise<string | null> => {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  if (process.platform === 'linux') {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    if (stat === null) return null;
    // The name of the program, in brackets, may itself hold blanks and brackets. A zombie (Z) holds nothing any more.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : `${bootId.trim()} ${fields[19] ?? ''}`;
  }
  if (process.platform === 'win32') return 'alive';
  const answer = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return answer?.stdout.trim() ?? null;
};
