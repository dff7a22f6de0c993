// `sandlot doctor`, `prune`: what is here, what is wrong, what can go.
import type { Command } from 'commander';
import type { DoctorReport } from '../../../sandbox-engine/contract/model.ts';
import { defineCommand } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { toSize, toTable } from '../print.ts';
import { prunedWords } from '../pruned-words.ts';

/** What mends it, once for all that it mends. */
const fixesOf = ({ runtimes, checks }: DoctorReport): string[] => {
  const mended = new Map<string, string[]>();
  for (const { fix, message } of [...runtimes, ...checks]) if (fix !== null) mended.set(fix, [...(mended.get(fix) ?? []), message]);
  return [...mended].map(([fix, messages]) => `${messages.join('\n')}\n  -> ${fix}`);
};

const addDoctor = (program: Command): void =>
  defineCommand(program, {
    usage: 'doctor',
    does: 'Look for Docker and Podman and say what is wrong and what mends it',
    examples: ['doctor', 'doctor -o json'],
    act: async ({ context }) => {
      const report = await context.ask('app.doctor', {});
      context.print.result(report, () => {
        const runtimes = toTable(
          ['RUNTIME', 'STATUS', 'VERSION', 'ADDRESS', 'FOUND BY'],
          report.runtimes.map((probe) => [probe.id, probe.status, probe.version, probe.address, probe.source]),
        );
        const checks = toTable(
          ['CHECK', 'RESULT', 'MESSAGE'],
          report.checks.map((check) => [check.name, check.status, check.message]),
        );
        return [runtimes, checks, ...fixesOf(report)].join('\n\n');
      });
      return report.ok ? exitCodes.ok : report.runtimes.some(({ status }) => status === 'connected') ? exitCodes.failed : exitCodes.runtime;
    },
  });

const addPrune = (program: Command): void =>
  defineCommand(program, {
    usage: 'prune',
    does: 'List what Sandlot made and nothing needs any more; with --yes remove it',
    options: [['-y, --yes', 'remove it']],
    examples: ['prune', 'prune --yes'],
    act: async ({ context, options }) => {
      const pruned = await context.ask('app.prune', { dry_run: options['yes'] !== true });
      context.print.result(pruned, () => {
        if (pruned.items.length === 0) return 'Nothing to remove.';
        const table = toTable(
          ['KIND', 'NAME', 'RUNTIME', 'SIZE', 'WHY'],
          pruned.items.map((item) => [item.kind, item.name, item.runtime, toSize(item.size), item.reason]),
        );
        return `${table}\n\n${prunedWords(pruned, options['yes'] === true)}`;
      });
      return undefined;
    },
  });

/** Adds the commands about the whole of Sandlot. */
export const addGeneralCommands = (program: Command): void => {
  addDoctor(program);
  addPrune(program);
};
