// `sandlot setup ...`: prove an environment.
import type { Command } from 'commander';
import type { LogLine, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../../../sandbox-engine/index.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment } from '../find-by-name.ts';
import { plainText, toFacts, toSize, toTable } from '../print.ts';
import { lineText, readSetupLogs, runSetup } from '../run-setup.ts';

const stderrOf = ({ stderr_tail: tail, failed_line: line }: SetupRun): string =>
  tail.trim() === ''
    ? ''
    : `\n\n${line === null ? 'The end of stderr' : 'What the failing line said'}:\n${plainText(tail.trimEnd()).replaceAll(/^/gm, '  ')}`;

/** What a person reads of a run: hint first, then line, command and the end of stderr. */
const describeRun = (run: SetupRun): string =>
  `${toFacts({
    Run: run.id,
    Status: run.observed ? `${run.status} (observed: it proves nothing)` : run.status,
    Hint: run.hint,
    'Failed line': run.failed_line,
    Command: run.failed_command,
    'Exit code': run.exit_code,
    'Next action': run.next_action,
    'Prepared image': run.prepared_image_id,
    Blocked: run.blocked_destinations
      ? `${counted(run.blocked_destinations, 'destination')}: sandlot egress log --run ${run.id} --blocked`
      : null,
  })}${stderrOf(run)}`;

const addRun = (group: Command): void =>
  defineCommand(group, {
    usage: 'run <environment>',
    does: 'Run the setup script of an environment; with --wait follow it to its verdict (Ctrl-C then cancels it)',
    options: [
      ['-w, --wait', 'stay until it is over; exit 0 only when it succeeded'],
      [
        '--observe',
        'open the network for this one run: everything public passes and is written down. It proves nothing and leaves no image',
      ],
    ],
    examples: ['setup run web --wait', 'setup run web --observe --wait', 'setup run web --wait -o json'],
    act: async (given) => {
      const { context, options } = given;
      const environment = await findEnvironment(context, firstWord(given));
      const wait = options['wait'] === true;
      const run = await runSetup(context, environment.id, { wait, observe: options['observe'] === true });
      context.print.result(run, () => describeRun(run));
      if (wait && run.observed) context.print.note(`What it contacted as rules: sandlot egress propose ${run.id}`);
      return !wait || run.status === 'succeeded' ? exitCodes.ok : exitCodes.failed;
    },
  });

const addLogs = (group: Command): void =>
  defineCommand(group, {
    usage: 'logs <run>',
    does: 'Print the log of a setup run, line by line',
    options: [['-f, --follow', 'stay until the run is over']],
    examples: ['setup logs run_01k0000000000000000000000 --follow', 'setup logs run_01k0000000000000000000000 -o json'],
    act: async (given) => {
      const { context, options } = given;
      const lines: LogLine[] = [];
      const isJson = context.print.mode === 'json';
      const onLine = isJson
        ? (line: LogLine) => void lines.push(line)
        : async (line: LogLine) => await context.print.log(Buffer.from(`${lineText(line)}\n`));
      const { truncated } = await readSetupLogs(context, { runId: firstWord(given), follow: options['follow'] === true, onLine });
      if (truncated) context.print.note('The log was longer than Sandlot keeps: this is its beginning.');
      if (isJson) context.print.result(lines, () => '');
      return undefined;
    },
  });

const addParity = (group: Command): void =>
  defineCommand(group, {
    usage: 'parity <environment>',
    does: 'Run the same setup on every connected runtime and compare',
    examples: ['setup parity web'],
    act: async (given) => {
      const environment = await findEnvironment(given.context, firstWord(given));
      const matrix = await given.context.ask('setup_runs.parity', { environment_id: environment.id });
      const rows = matrix.rows.map((row) => [
        row.runtime,
        row.status,
        row.exit_code,
        row.failed_line,
        `${Math.round(row.duration_ms)} ms`,
        toSize(row.image_size),
        row.message,
      ]);
      given.context.print.result(matrix, () => {
        const difference = Object.entries(matrix.first_difference?.lines ?? {}).map(
          ([runtime, line]) => `${runtime}: ${line ?? '(nothing)'}`,
        );
        const table = toTable(['RUNTIME', 'STATUS', 'EXIT', 'LINE', 'TIME', 'SIZE', 'MESSAGE'], rows);
        return difference.length === 0 ? `${table}\n\nNo line differs.` : `${table}\n\nFirst line that differs:\n${difference.join('\n')}`;
      });
      return matrix.rows.every(({ status }) => status === 'succeeded') ? exitCodes.ok : exitCodes.failed;
    },
  });

/** Adds `setup` and what is below it. */
export const addSetupCommands = (program: Command): void => {
  const group = program.command('setup').description('Setup runs: prove an environment');
  addRun(group);
  addLogs(group);
  defineCommand(group, {
    usage: 'cancel <run>',
    does: 'Cancel a setup run that is not over',
    examples: ['setup cancel run_01k0000000000000000000000'],
    act: async (given) => {
      const run = await given.context.ask('setup_runs.cancel', { setup_run_id: firstWord(given) });
      given.context.print.result(run, () => describeRun(run));
      return undefined;
    },
  });
  addParity(group);
};
