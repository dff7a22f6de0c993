// `sandlot activity`: what was done here, and what ended by itself.
import type { Command } from 'commander';
import type { AuditSubject } from '../../../sandbox-engine/contract/model.ts';
import { defineCommand, textOption } from '../define-command.ts';
import { findEnvironment } from '../find-by-name.ts';
import { toTable } from '../print.ts';

/** Adds the command. */
export const addActivityCommand = (program: Command): void =>
  defineCommand(program, {
    usage: 'activity',
    does: 'List what was done here and what ended by itself, newest first',
    options: [
      ['-e, --environment <environment>', 'only what was about one environment'],
      ['-a, --about <subject>', 'only what was about environments, builds, setup, sessions, network, secrets, agents, images or settings'],
      ['--search <text>', 'only lines with this text'],
      ['-l, --limit <count>', 'how many lines, at most 500; 50 unless said'],
    ],
    examples: ['activity', 'activity --environment web --search policy', 'activity --limit 500 -o json'],
    act: async ({ context, options }) => {
      const environment = textOption(options, 'environment');
      const about = textOption(options, 'about');
      const search = textOption(options, 'search');
      const found = await context.ask('audit.list', {
        limit: Number(textOption(options, 'limit') ?? 50),
        ...(environment === undefined ? {} : { environment_id: (await findEnvironment(context, environment)).id }),
        ...(about === undefined ? {} : { about: about as AuditSubject }),
        ...(search === undefined ? {} : { search }),
      });
      context.print.result(found, () =>
        toTable(
          ['WHEN', 'WHAT'],
          found.entries.map(({ at, text }) => [at, text]),
        ),
      );
      return undefined;
    },
  });
