// Runs one command in a session: its two streams to ours as they come, its exit code as the result.
import type { Exec } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { followStream, writeAll } from './follow-stream.ts';
import { interruptible, waitFor } from './wait-for.ts';

export interface RunResult {
  exit_code: number;
  stdout: string;
  stderr: string;
}

const finish = async (context: CommandContext, exec: Exec): Promise<Exec> =>
  await waitFor<Exec>(context, {
    inEvent: (event) => (event.name === 'exec.changed' && event.payload.id === exec.id ? event.payload : null),
    ask: async () => await context.ask('execs.get', { exec_id: exec.id }),
    isOver: ({ status }) => status !== 'running',
  });

/** Runs it to its end; Ctrl-C kills it. In JSON mode the streams are collected instead of written. */
export const runCommand = async (context: CommandContext, sessionId: string, command: string[]): Promise<RunResult> => {
  const exec = await context.ask('execs.start', { session_id: sessionId, command });
  if (exec.note !== undefined) context.print.note(`note: ${exec.note}`);
  const collected: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  const follow = async (name: 'stdout' | 'stderr', streamId: string): Promise<void> =>
    await followStream(context, streamId, {
      onBytes: async (bytes) => {
        if (context.print.mode === 'json') collected[name].push(bytes);
        else await writeAll(process[name], bytes);
      },
    });
  const [ended] = await interruptible(
    async () =>
      await Promise.all([finish(context, exec), follow('stdout', exec.stdout_stream_id), follow('stderr', exec.stderr_stream_id)]),
    async () => await context.ask('execs.kill', { exec_id: exec.id }),
  );
  const text = (name: 'stdout' | 'stderr') => Buffer.concat(collected[name]).toString('utf8');
  return { exit_code: ended.exit_code ?? 1, stdout: text('stdout'), stderr: text('stderr') };
};
