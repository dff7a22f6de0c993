// Starts a setup run, and follows its log by line number: pages of lines, then the verdict.
import { randomUUID } from 'node:crypto';
import type { LogLine, SetupRun } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { interruptible, waitFor } from './wait-for.ts';

const isFinished = (status: SetupRun['status']): boolean => status === 'succeeded' || status === 'failed' || status === 'cancelled';

// Colours stay; a script must not set the title of the reader's window, or what a paste brings.
const steering = /\u001b(?!\[[\d;]*m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

/** One log line as a person reads it. */
export const lineText = (line: LogLine): string => {
  const text = line.text.replaceAll(steering, ' ');
  if (line.stream === 'marker') return `+ line ${line.line ?? '?'}: ${text}`;
  return line.stream === 'system' ? `# ${text}` : text;
};

export interface FollowLogs {
  runId: string;
  follow: boolean;
  onLine: (line: LogLine) => Promise<void> | void;
}

/** Reads the log of a run from its first line; with `follow` until the run is over. */
export const readSetupLogs = async (context: CommandContext, { runId, follow, onLine }: FollowLogs): Promise<{ truncated: boolean }> => {
  let after = 0;
  for (;;) {
    const page = await context.ask('setup_runs.logs', { setup_run_id: runId, after, limit: 2000, ...(follow ? { wait_seconds: 5 } : {}) });
    for (const line of page.lines) await onLine(line);
    const isEnd = page.lines.length === 0 && (!follow || isFinished(page.status));
    after = page.next_after;
    if (isEnd) return { truncated: page.truncated };
  }
};

/** Starts a run; with `wait` follows it to its end, and then Ctrl-C cancels it. */
export const runSetup = async (
  context: CommandContext,
  environmentId: string,
  { wait, observe = false }: { wait: boolean; observe?: boolean },
): Promise<SetupRun> => {
  const run = await context.ask('setup_runs.create', {
    ...{ environment_id: environmentId, idempotency_key: randomUUID() },
    ...(observe ? { observe } : {}),
  });
  if (!wait) return run;
  return await interruptible(
    async () => {
      await readSetupLogs(context, {
        runId: run.id,
        follow: true,
        onLine: async (line) => await context.print.log(Buffer.from(`${lineText(line)}\n`)),
      });
      return await waitFor<SetupRun>(context, {
        inEvent: (event) => (event.name === 'setup_run.changed' && event.payload.id === run.id ? event.payload : null),
        ask: async () => await context.ask('setup_runs.get', { setup_run_id: run.id }),
        isOver: ({ status }) => isFinished(status),
      });
    },
    async () => await context.ask('setup_runs.cancel', { setup_run_id: run.id }),
  );
};
