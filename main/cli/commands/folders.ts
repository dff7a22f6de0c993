// `sandlot env folders`: what an environment gives of this machine, and the agreement to it.
import type { Command } from 'commander';
import type { ListedFolder } from '../../../sandbox-engine/contract/model.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { findEnvironment } from '../find-by-name.ts';
import { toTable } from '../print.ts';

const wayOf = ({ use, read_only }: ListedFolder): string => {
  if (use === 'repository') return 'brought into each session';
  return read_only ? 'mounted, read only' : 'mounted, can be changed';
};

const tableOf = (folders: ListedFolder[]): string =>
  folders.length === 0
    ? 'It gives nothing of this machine to its sessions.'
    : toTable(
        ['FOLDER', 'HOW', 'AGREED'],
        folders.map((folder) => [folder.path, wayOf(folder), folder.is_agreed ? 'yes' : 'no']),
      );

/** Adds `env folders`. */
export const addFolders = (env: Command): void =>
  defineCommand(env, {
    usage: 'folders <environment>',
    does: 'Show which folders of this machine its sessions get, and agree to that',
    options: [
      ['--agree', 'agree to all of them as they are shown'],
      ['--withdraw', 'take every agreement back; running sessions keep what they have'],
    ],
    examples: ['env folders web', 'env folders web --agree'],
    act: async (given) => {
      const { context, options } = given;
      const { id: environment_id } = await findEnvironment(context, firstWord(given));
      const seen = await context.ask('environments.folders', { environment_id });
      const agreed = options['agree'] === true ? seen.folders.map(({ is_agreed: _, ...folder }) => folder) : [];
      const changes = options['agree'] === true || options['withdraw'] === true;
      const found = changes ? await context.ask('environments.agree_folders', { environment_id, folders: agreed }) : seen;
      context.print.result(found, () => tableOf(found.folders));
      return undefined;
    },
  });
