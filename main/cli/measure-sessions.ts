// What sessions use of the machine just now, for a list: asked once, waited for a moment.
import type { SessionUsage, UsageSample } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { toSize } from './print.ts';

/** Processors and bytes of memory; null where that is not known yet. */
export type ListedUse = Pick<UsageSample, 'cpus' | 'memory_bytes'>;

const waitMs = 3_000;
/** As many as the host measures for one question. */
const mostAtOnce = 50;

const newestOf = ({ samples }: SessionUsage): UsageSample | undefined => samples.at(-1);

/** Measures these; what the runtime does not tell in time is left out. */
export const measureSessions = async (context: CommandContext, ids: readonly string[]): Promise<Map<string, ListedUse>> => {
  const asked = ids.slice(0, mostAtOnce);
  const found = new Map<string, ListedUse>();
  if (asked.length === 0) return found;
  let finish: () => void = () => undefined;
  const whole = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const put = (id: string, { cpus, memory_bytes }: ListedUse): void => {
    if (asked.includes(id)) found.set(id, { cpus, memory_bytes });
    if (asked.every((one) => found.get(one)?.cpus != null)) finish();
  };
  const unsubscribe = await context.hear((event) => {
    if (event.name === 'usage.measured') for (const sample of event.payload.samples) put(sample.session_id, sample);
  });
  try {
    const { sessions } = await context.ask('usage.watch', { session_ids: asked, calm: true });
    for (const usage of sessions) {
      const newest = newestOf(usage);
      if (newest !== undefined) put(usage.session_id, newest);
    }
    await Promise.race([whole, new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref()), (await context.host()).closed]);
  } finally {
    unsubscribe();
  }
  return found;
};

/** As two cells of a table. */
export const usedCells = (used: ListedUse | undefined): [cpu: string, memory: string] => [
  used?.cpus == null ? '-' : used.cpus.toFixed(2),
  used?.memory_bytes == null ? '-' : toSize(used.memory_bytes),
];
