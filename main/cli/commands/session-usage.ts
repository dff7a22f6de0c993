// `sandlot session stats`: what a session uses of the machine, once or as it goes on.
import type { Command } from 'commander';
import type { SessionUsage, UsageSample } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findSession } from '../find-by-name.ts';
import { toFacts, toSize } from '../print.ts';

const firstSampleMs = 20_000;
/** Shorter than the host goes on measuring by itself. */
const renewMs = 8_000;

const perSecond = (bytes: number | null): string => (bytes === null ? '-' : `${toSize(bytes)}/s`);
const of = (limit: string | null): string => (limit === null ? '' : ` of ${limit}`);

const cpuText = ({ cpus }: UsageSample, { cpu_limit }: SessionUsage): string =>
  `${cpus === null ? '-' : cpus.toFixed(2)}${of(cpu_limit === null ? null : String(cpu_limit))}`;

const describe = (sample: UsageSample, usage: SessionUsage): string =>
  toFacts({
    CPU: cpuText(sample, usage),
    Memory: `${toSize(sample.memory_bytes)}${of(usage.memory_limit_bytes === null ? null : toSize(usage.memory_limit_bytes))}`,
    Processes: `${sample.processes ?? '-'}${of(usage.process_limit === null ? null : String(usage.process_limit))}`,
    Received: perSecond(sample.received_per_second),
    Sent: perSecond(sample.sent_per_second),
    Workspace: toSize(sample.workspace_bytes),
  });

const lineOf = (sample: UsageSample): string =>
  [
    sample.at.slice(11, 19),
    `cpu ${sample.cpus === null ? '-' : sample.cpus.toFixed(2)}`,
    `memory ${toSize(sample.memory_bytes)}`,
    `in ${perSecond(sample.received_per_second)}`,
    `out ${perSecond(sample.sent_per_second)}`,
    `workspace ${toSize(sample.workspace_bytes)}`,
  ].join('  ');

/** Looks on, and hands over each sample; a connection that is lost ends it. */
const eachSample = async (context: CommandContext, sessionId: string, onSample: (sample: UsageSample, usage: SessionUsage) => boolean) => {
  let usage: SessionUsage | undefined;
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const unsubscribe = await context.hear((event) => {
    if (event.name !== 'usage.measured' || usage === undefined) return;
    const found = event.payload.samples.find(({ session_id }) => session_id === sessionId);
    if (found !== undefined && !onSample(found, usage)) finish();
  });
  const renew = async (): Promise<void> => {
    usage = (await context.ask('usage.watch', { session_ids: [sessionId] })).sessions[0];
  };
  await renew();
  const timer = setInterval(() => void renew().catch(finish), renewMs);
  await Promise.race([over, (await context.host()).closed]);
  clearInterval(timer);
  unsubscribe();
};

const measureOnce = async (context: CommandContext, sessionId: string): Promise<{ sample: UsageSample; usage: SessionUsage }> => {
  let found: UsageSample | null = null;
  const looking = eachSample(context, sessionId, (sample) => {
    // The first has no rates yet.
    if (sample.cpus !== null && sample.workspace_bytes !== null) found = sample;
    return found === null;
  });
  const late = new Promise<void>((resolve) => setTimeout(resolve, firstSampleMs).unref());
  await Promise.race([looking, late]);
  const { sessions } = await context.ask('usage.watch', { session_ids: [sessionId] });
  const usage = sessions[0];
  const sample = found ?? usage?.samples.at(-1);
  if (usage === undefined || sample === undefined) {
    throw refused('runtime_error', usage?.trouble ?? 'Its runtime told nothing of what it uses.', 'Look with: sandlot doctor');
  }
  return { sample, usage };
};

/** Adds `session stats`. */
export const addUsageCommand = (group: Command): void =>
  defineCommand(group, {
    usage: 'stats <session>',
    does: 'Show processor, memory, network and workspace of a running session',
    options: [['-w, --watch', 'a line every two seconds until Ctrl-C; with -o json one JSON value a line']],
    examples: ['session stats my-session', 'session stats my-session --watch', 'session stats my-session -o json'],
    act: async (given) => {
      const { context, options } = given;
      const session = await findSession(context, firstWord(given));
      if (session.status !== 'running') {
        throw refused(
          'session_not_running',
          `Session "${session.name}" is ${session.status} and uses nothing.`,
          'Resume the session first.',
        );
      }
      if (options['watch'] === true) {
        await eachSample(context, session.id, (sample) => {
          context.print.line(sample, () => lineOf(sample));
          return true;
        });
        return exitCodes.host;
      }
      const { sample, usage } = await measureOnce(context, session.id);
      const { samples: _before, ...limits } = usage;
      context.print.result({ ...limits, ...sample }, () => describe(sample, usage));
      return undefined;
    },
  });
