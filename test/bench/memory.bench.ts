// Resident memory of the host with ten sessions, a terminal in each, and a client that follows all events.
import { readFile } from 'node:fs/promises';
import { openBenchHost } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import type { Ratio } from './ratio.ts';

const sessions = 10;
const limitMiB = 150;
const looks = 20;

const residentMiB = async (pid: number): Promise<number> => {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
};

/** Measures a host that also has its web door open. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    const { id } = await host.pinned(await host.runtimeId(benchDocker()), 'base: debian\n');
    const command = Buffer.from('ls -laR /etc | head -n 2000\n').toString('base64');
    for (let count = 0; count < sessions; count += 1) {
      const session = await host.call('sessions.launch', { environment_id: id });
      const terminal = await host.call('terminals.open', { session_id: session.id, cols: 120, rows: 40 });
      await host.call('terminals.write', { terminal_id: terminal.id, data: command });
      await host.grown(terminal.stream_id, 50_000);
    }
    let highest = 0;
    for (let look = 0; look < looks; look += 1) {
      highest = Math.max(highest, await residentMiB(host.pid));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return [
      {
        what: 'Resident memory of the host with 10 sessions, a terminal with output in each; the highest of two seconds',
        ...{ ours: highest, baseline: limitMiB, against: `the limit of ${limitMiB} MiB`, bound: { kind: 'at most', ratio: 1 } },
      },
    ];
  } finally {
    await host.close();
  }
};
