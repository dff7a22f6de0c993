// `sandlot secret ...`: values go in, names and uses come out.
import type { Command } from 'commander';
import type { Secret, SecretList } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';
import { toFacts, toTable } from '../print.ts';
import { readSecret } from '../read-secret.ts';

const usersOf = ({ environments }: Pick<Secret, 'environments'>): string => environments.map(({ name }) => name).join(', ') || '-';

const rowsOf = ({ secrets, missing }: SecretList): (string | number | null)[][] => [
  ...secrets.map((one) => [one.name, one.version, one.updated_at, one.last_used_at, usersOf(one)]),
  ...missing.map((one) => [one.name, 'not set', null, null, usersOf(one)]),
];

/** What a person should know of a value that is too short to be kept out of sight. */
const noteLimits = ({ print }: CommandContext, { name, is_masked, is_searched }: Secret): void => {
  if (!is_masked)
    print.note(`note: ${name} has fewer than 4 characters: it is not masked in output, since it would hit every second word.`);
  else if (!is_searched)
    print.note(`note: ${name} has fewer than 8 characters: images are not searched for it, since it turns up by chance.`);
};

const addSet = (group: Command): void =>
  defineCommand(group, {
    usage: 'set <name>',
    does: 'Set a secret or replace its value. It is read from standard input, or asked for without being shown',
    options: [
      ['-f, --file <file>', 'read it from a file; one line end at its end is not part of it'],
      ['--value <value>', 'the value itself; it is then in the history of your shell and in the list of processes'],
    ],
    examples: [
      'secret set DATABASE_URL',
      'secret set DEPLOY_KEY --file ~/.ssh/deploy_key',
      'pass show github | sandlot secret set GH_TOKEN',
    ],
    act: async (given) => {
      const { context, options } = given;
      const name = firstWord(given);
      const value = await readSecret(name, { value: textOption(options, 'value'), file: textOption(options, 'file') });
      const secret = await context.ask('secrets.set', { name, value });
      noteLimits(context, secret);
      context.print.result(secret, () => toFacts({ Secret: name, Version: secret.version, 'Used by': usersOf(secret) }));
      return undefined;
    },
  });

const addReset = (group: Command): void =>
  defineCommand(group, {
    usage: 'reset',
    does: 'Only when the secrets are damaged: keep the file aside and begin without any',
    options: [yesOption],
    examples: ['secret reset --yes'],
    act: async ({ context, options }) => {
      await agreeToFinal(options, {
        question: 'Begin without secrets? The damaged file is kept aside; each secret has to be set again.',
        word: 'begin anew',
        agreed: 'sandlot secret reset --yes',
      });
      const done = await context.ask('secrets.reset', {});
      context.print.result(done, () => `The damaged file is kept at ${done.kept_aside}. Set each secret again.`);
      return undefined;
    },
  });

/** Adds `secret` and what is below it. */
export const addSecretCommands = (program: Command): void => {
  const group = program.command('secret').description('Secrets for sessions: set, list, delete, see who got them');
  addSet(group);
  defineCommand(group, {
    usage: 'list',
    does: 'List secrets by name, with the environments whose sessions get them; never their values',
    examples: ['secret list', 'secret list -o json'],
    act: async ({ context }) => {
      const found = await context.ask('secrets.list', {});
      context.print.result(found, () => toTable(['NAME', 'VERSION', 'SET', 'LAST USED', 'ENVIRONMENTS'], rowsOf(found)));
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'rm <name>',
    does: 'Delete a secret for good; environments that name it start no session until it is set again. Its name is asked for',
    options: [yesOption],
    examples: ['secret rm DATABASE_URL', 'secret rm DATABASE_URL --yes'],
    act: async (given) => {
      const name = firstWord(given);
      await agreeToFinal(given.options, {
        question: `Delete the secret ${name} for good? Environments that name it start no session until it is set again.`,
        word: name,
        agreed: `sandlot secret rm ${name} --yes`,
      });
      const done = await given.context.ask('secrets.delete', { name });
      given.context.print.result(done, () => `${name} is deleted.`);
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'ledger [name]',
    does: 'Which session was given which secret and when, the newest first',
    examples: ['secret ledger', 'secret ledger DATABASE_URL -o json'],
    act: async ({ context, args }) => {
      const found = await context.ask('secrets.ledger', args[0] === undefined ? {} : { name: args[0] });
      const rows = found.uses.map((one) => [
        ...[one.name, one.version ?? 'its own', one.session_name, one.session_id, one.environment_name],
        ...[one.first_at, one.last_at, one.times],
      ]);
      const head = ['SECRET', 'VERSION', 'SESSION', 'ID', 'ENVIRONMENT', 'FIRST', 'LAST', 'TIMES'];
      context.print.result(found, () => toTable(head, rows));
      return undefined;
    },
  });
  addReset(group);
};
