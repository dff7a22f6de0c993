// `sandlot session start-script`: how the start script of a session goes, its log, and running it again.
import type { Command } from 'commander';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findSession } from '../find-by-name.ts';
import { followStream } from '../follow-stream.ts';
import { waitFor } from '../wait-for.ts';

const words = ({ status, exit_code: code }: Session['start_script']): string => {
  if (status === 'none') return 'This session has no start script.';
  if (status === 'running') return 'The start script is running.';
  if (status === 'succeeded') return 'The start script is done.';
  return code === null ? 'The start script was cut off.' : `The start script failed with code ${code}.`;
};

/** Prints what there is of the log, or all of it as it comes. */
const printLog = async (context: CommandContext, streamId: string, follow: boolean): Promise<void> => {
  const signal = follow ? {} : { signal: AbortSignal.abort() };
  await followStream(context, streamId, { onBytes: context.print.log, ...signal });
};

const toItsEnd = async (context: CommandContext, session: Session): Promise<Session> =>
  await waitFor<Session>(context, {
    inEvent: (event) => (event.name === 'session.changed' && event.payload.id === session.id ? event.payload : null),
    ask: async () => await context.ask('sessions.get', { session_id: session.id }),
    isOver: ({ start_script }) => start_script.status !== 'running',
  });

/** How it stands; the exit code of the command. */
const tell = ({ print }: CommandContext, script: Session['start_script'], isOver: boolean): number => {
  print.note(words(script));
  if (print.mode === 'json') print.result(script, () => '');
  return isOver && script.status !== 'none' ? (script.exit_code ?? exitCodes.failed) : exitCodes.ok;
};

/** Adds it. */
export const addStartScriptCommand = (group: Command): void =>
  defineCommand(group, {
    usage: 'start-script <session>',
    does: 'Show the state and the log of the start script; with --follow or --retry the exit code is that of the script',
    options: [
      ['--retry', 'run it again, with the steps that the environment has now, and follow it'],
      ['--follow', 'follow it to its end'],
    ],
    examples: ['session start-script web', 'session start-script web --retry'],
    act: async (given) => {
      const { context, options } = given;
      const found = await findSession(context, firstWord(given));
      const retry = options['retry'] === true;
      const session = retry ? await context.ask('sessions.retry_start_script', { session_id: found.id }) : found;
      const follow = retry || options['follow'] === true;
      const { stream_id: streamId } = session.start_script;
      if (streamId !== null) await printLog(context, streamId, follow);
      const now = follow ? await toItsEnd(context, session) : session;
      return tell(context, now.start_script, follow);
    },
  });
