// `sandlot image ...`: the images that Sandlot made.
import type { Command } from 'commander';
import { counted } from '../../../sandbox-engine/index.ts';
import { refused } from '../command-failed.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { toSize, toTable } from '../print.ts';

const addList = (group: Command): void =>
  defineCommand(group, {
    usage: 'list',
    does: 'List the images that Sandlot made, and who needs them',
    examples: ['image list', 'image list -o json'],
    act: async ({ context }) => {
      const found = await context.ask('images.list', {});
      for (const away of found.away) context.print.note(`note: ${away} could not be asked.`);
      const usersOf = ({ used_by, is_unused }: (typeof found.images)[number]) =>
        used_by.map(({ name, how }) => `${name} (${how})`).join(', ') || (is_unused ? '-' : 'Sandlot');
      context.print.result(found, () =>
        toTable(
          ['IMAGE', 'KIND', 'RUNTIME', 'SIZE', 'NEEDED BY'],
          found.images.map((image) => [image.id.slice(7, 19), image.kind, image.runtime, toSize(image.size), usersOf(image)]),
        ),
      );
      return undefined;
    },
  });

const addRemove = (group: Command): void =>
  defineCommand(group, {
    usage: 'rm <image>',
    does: 'Remove an image that nothing needs; the beginning of its id will do',
    options: [yesOption],
    examples: ['image rm 3f1c9a7be021', 'image rm 3f1c9a7be021 --yes'],
    act: async (given) => {
      const { context } = given;
      const asked = firstWord(given).replace(/^sha256:/, '');
      const { images } = await context.ask('images.list', {});
      const found = images.filter(({ id }) => id.slice(7).startsWith(asked));
      const [image] = found;
      if (image === undefined) throw refused('not_found', `Sandlot made no image "${asked}".`, 'List them with: sandlot image list');
      if (found.length > 1)
        throw refused('invalid_request', `"${asked}" is the beginning of ${counted(found.length, 'image')}.`, 'Write more of its id.');
      await agreeToFinal(given.options, {
        question: `Remove the image ${image.id.slice(7, 19)} (${toSize(image.size)})? A build that made it has to be done again before it can be pinned.`,
        agreed: `sandlot image rm ${image.id.slice(7, 19)} --yes`,
      });
      const done = await context.ask('images.remove', { runtime: image.runtime, image_id: image.id });
      context.print.result(done, () => `${image.id.slice(7, 19)} is removed.`);
      return undefined;
    },
  });

/** Adds the group. */
export const addImageCommands = (program: Command): void => {
  const group = program.command('image').description('Images that Sandlot made');
  addList(group);
  addRemove(group);
};
