// What a host takes of a processor while twenty sessions are there, a client follows, and nothing happens.
import { readFile } from 'node:fs/promises';
import { openBenchHost } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import type { Ratio } from './ratio.ts';

const sessions = 20;
const limit = 0.02;
const watchedMs = 10_000;
const ticksPerSecond = 100;

/** Seconds of a processor that the process and all its threads have had. Source: proc(5), utime and stime. */
const usedSeconds = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Measures it once the launches are over. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    const { id } = await host.pinned(await host.runtimeId(benchDocker()), 'base: debian\n');
    host.subscribe(() => undefined);
    for (let count = 0; count < sessions; count += 5) {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const session = await host.call('sessions.launch', { environment_id: id });
          await host.call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });
        }),
      );
    }
    await pause(3_000);
    const [before, began] = [await usedSeconds(host.pid), performance.now()];
    await pause(watchedMs);
    const share = (await usedSeconds(host.pid)) - before;
    return [
      {
        what: `A processor's time that the host takes with ${sessions} idle sessions, a terminal in each, over ten seconds`,
        ...{ ours: share / ((performance.now() - began) / 1000), baseline: limit, against: 'the limit of 2 % of a core' },
        bound: { kind: 'at most', ratio: 1 },
      },
    ];
  } finally {
    await host.close();
  }
};
