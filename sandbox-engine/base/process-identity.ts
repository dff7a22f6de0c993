// Names a process so that a later process with the same number is not taken for it: `PID:START`.
// Source: proc(5), field 22 (starttime) of /proc/PID/stat; `ps -o lstart=` where there is no /proc.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const startOf = async (pid: number): Promise<string | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat !== null) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  if (process.platform === 'linux') return null;
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  const start = listed?.stdout.trim().replace(/\s+/g, '_') ?? '';
  return start === '' ? null : start;
};

/** `PID:START` of a process, this one by default; START is empty when there is no such process. */
export const processIdentity = async (pid: number = process.pid): Promise<string> => `${pid}:${(await startOf(pid)) ?? ''}`;

/** Whether the very process of that identity still lives: the same number with another start time is another process. */
export const isAlive = async (identity: string): Promise<boolean> => {
  const [pid = '', ...start] = identity.split(':');
  if (!/^[1-9][0-9]*$/.test(pid) || start.join(':') === '') return false;
  return (await processIdentity(Number(pid))) === identity;
};
