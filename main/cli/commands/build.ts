// `sandlot build`, `builds`, `pin`, `unpin`: from a recipe to the image that sessions boot.
import type { Command } from 'commander';
import type { Build, Pin } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment } from '../find-by-name.ts';
import { toFacts, toSize, toTable } from '../print.ts';
import { runBuild } from '../run-build.ts';

const describe = (build: Build, isPinned: boolean | null): string =>
  toFacts({
    Build: build.id,
    Status: build.status,
    Image: build.image_id,
    Size: toSize(build.image_size),
    'Boot test': build.boot_test === null ? null : build.boot_test.passed ? 'passed' : 'failed',
    ...(isPinned !== null && { Pinned: isPinned ? 'yes' : 'no' }),
    'Same as': build.reused_build_id,
    'Failed step': build.failed_step,
  });

/** Asked for anew: the build itself does not say it. */
const isPinnedNow = async (context: CommandContext, { environment_id, image_id }: Build): Promise<boolean> => {
  const { image } = await context.ask('environments.get', { environment_id });
  return image_id !== null && image.image_id === image_id;
};

const tellFailure = ({ print }: CommandContext, build: Build): void => {
  if (build.status === 'succeeded') return;
  print.note(
    `The build ${build.status}${build.failed_step === null ? '' : ` at "${build.failed_step}"`}${build.error === null ? '.' : `: ${build.error.message}`}`,
  );
  if (build.error?.next_action) print.note(`  -> ${build.error.next_action}`);
};

const showPin = ({ print }: CommandContext, pin: Pin): number => {
  print.result(pin, () => toFacts({ Pin: pin.id, Action: pin.action, Build: pin.build_id, Image: pin.image_id, Reason: pin.reason }));
  return pin.action === 'rejected' ? exitCodes.failed : exitCodes.ok;
};

const addBuild = (program: Command): void =>
  defineCommand(program, {
    usage: 'build <environment>',
    does: 'Build the image of an environment and follow its log; Ctrl-C cancels the build',
    options: [
      ['--pin', 'pin it when it has passed its boot test'],
      ['--no-cache', 'build even when this very recipe was built before'],
    ],
    examples: ['build web --pin', 'build web -o json'],
    act: async (given) => {
      const { context, options } = given;
      const environment = await findEnvironment(context, firstWord(given));
      const build = await runBuild(context, {
        environmentId: environment.id,
        pin: options['pin'] === true,
        noCache: options['cache'] === false,
      });
      tellFailure(context, build);
      const isPinned = options['pin'] === true ? build.status === 'succeeded' && (await isPinnedNow(context, build)) : null;
      context.print.result(build, () => describe(build, isPinned));
      return build.status === 'succeeded' ? exitCodes.ok : exitCodes.failed;
    },
  });

/** Adds the commands about images. */
export const addBuildCommands = (program: Command): void => {
  addBuild(program);
  defineCommand(program, {
    usage: 'builds <environment>',
    does: 'List the builds of an environment, the newest first',
    examples: ['builds web'],
    act: async (given) => {
      const environment = await findEnvironment(given.context, firstWord(given));
      const found = await given.context.ask('builds.list', { environment_id: environment.id });
      const { image } = environment;
      const pinned = found.builds.find(({ id }) => id === image.build_id);
      // A build that found nothing changed has made what an earlier one did.
      const isPinned = ({ id, image_id, fingerprint }: Build): boolean =>
        id === image.build_id || (image_id !== null && image_id === image.image_id && fingerprint === pinned?.fingerprint);
      const rows = found.builds.map((one) => [
        one.id,
        one.status,
        one.failed_step,
        toSize(one.image_size),
        one.created_at,
        isPinned(one) ? 'pinned' : '',
      ]);
      given.context.print.result(found, () => toTable(['BUILD', 'STATUS', 'FAILED STEP', 'SIZE', 'MADE', ''], rows));
      return undefined;
    },
  });
  defineCommand(program, {
    usage: 'pin <build>',
    does: 'Make the image of a build the one that sessions boot; it must pass the boot test',
    examples: ['pin bld_01k0000000000000000000000'],
    act: async (given) => showPin(given.context, await given.context.ask('pins.create', { build_id: firstWord(given) })),
  });
  defineCommand(program, {
    usage: 'unpin <environment>',
    does: 'Let sessions of an environment boot the default base again',
    examples: ['unpin web'],
    act: async (given) => {
      const environment = await findEnvironment(given.context, firstWord(given));
      return showPin(given.context, await given.context.ask('pins.remove', { environment_id: environment.id }));
    },
  });
};
