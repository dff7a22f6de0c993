// `sandlot env ...`: the registry of environments.
import type { Command } from 'commander';
import type { CallInput, EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord, type Given, textOption } from '../define-command.ts';
import { markOf, placeOf, readInput } from '../environment-file.ts';
import { imageWords, resourceWords } from '../environment-words.ts';
import { findEnvironment, findTemplate } from '../find-by-name.ts';
import { parseSettings } from '../parse-settings.ts';
import { toFacts, toTable } from '../print.ts';
import { verdictText } from '../verdict-text.ts';
import { addFolders } from './folders.ts';

const describe = (environment: EnvironmentView): string =>
  toFacts({
    ID: environment.id,
    Name: environment.name,
    Slug: environment.slug,
    Runtime: environment.runtime,
    Base: environment.recipe.base,
    Image: environment.image.message,
    Setup: verdictText(environment),
    Resources: resourceWords(environment.resources),
    Secrets: environment.secrets.join(', ') || null,
    'Secret files': environment.secret_files.join(', ') || null,
    Revision: environment.revision,
    Updated: environment.updated_at,
    Archived: environment.archived_at,
  });

const show = ({ print }: CommandContext, environment: EnvironmentView): undefined =>
  print.result(environment, () => describe(environment)) as undefined;

interface Chosen {
  name?: string;
  runtime?: string;
  idempotency_key?: string;
}

/** Made from the one source that was given. @throws invalid_request @throws not_found */
const makeFrom = async (
  context: CommandContext,
  { file, template }: { file: string | undefined; template: string | undefined },
  chosen: Chosen,
): Promise<EnvironmentView> => {
  if (file !== undefined && template !== undefined)
    throw refused('invalid_request', 'Both a file and a template were given.', 'Give --file FILE or --template TEMPLATE.');
  if (template !== undefined) {
    const { idempotency_key, ...fields } = chosen;
    const body = { ...(await findTemplate(context, template)).definition, ...fields } as CallInput<'environments.create'>['body'];
    return await context.ask('environments.create', { body, ...(idempotency_key === undefined ? {} : { idempotency_key }) });
  }
  if (file === undefined) throw refused('invalid_request', 'From what? Nothing was given.', 'sandlot env create --file FILE');
  const contents = await readInput(file);
  return await context.ask('environments.create_from_file', {
    contents,
    ...(file === '-' ? {} : { file_name: placeOf(file), metadata: markOf(file, contents) }),
    ...chosen,
  });
};

const addCreate = (env: Command): void =>
  defineCommand(env, {
    usage: 'create',
    does: 'Make an environment from a file (the keys of a recipe and the fields of an environment) or from a template',
    options: [
      ['-f, --file <file>', 'the environment file; - is standard input'],
      ['-t, --template <template>', 'a template instead of a file; its id or name'],
      ['-n, --name <name>', 'its name; else the one in the file or template, else the name of the file'],
      ['-r, --runtime <runtime>', 'docker, podman or the id of a runtime'],
      ['--idempotency-key <key>', 'the same key and file make one environment only'],
    ],
    examples: ['env create --file web.yml', 'env create --file - --name web < web.yml', 'env create --template web-app --name shop'],
    act: async ({ context, options }) => {
      const [file, template] = [textOption(options, 'file'), textOption(options, 'template')];
      const [name, runtime, key] = [textOption(options, 'name'), textOption(options, 'runtime'), textOption(options, 'idempotencyKey')];
      const chosen = { ...(name === undefined ? {} : { name }), ...(runtime === undefined ? {} : { runtime }) };
      const once = key === undefined ? {} : { idempotency_key: key };
      return show(context, await makeFrom(context, { file, template }, { ...chosen, ...once }));
    },
  });

const addReads = (env: Command): void => {
  defineCommand(env, {
    usage: 'get <environment>',
    does: 'Show one environment; its id, slug or name will do',
    examples: ['env get web', 'env get web -o json'],
    act: async (given) => show(given.context, await findEnvironment(given.context, firstWord(given))),
  });
  defineCommand(env, {
    usage: 'list',
    does: 'List environments, the newest first',
    options: [
      ['-s, --search <text>', 'only those with this in their name or id'],
      ['-a, --all', 'archived ones too'],
      ['-l, --limit <count>', 'how many at most, 1 to 100'],
      ['-c, --cursor <cursor>', 'where the page before ended'],
    ],
    examples: ['env list', 'env list --search web -o json'],
    act: async ({ context, options }) => {
      const [search, cursor, limit] = [textOption(options, 'search'), textOption(options, 'cursor'), textOption(options, 'limit')];
      const page = await context.ask('environments.list', {
        include_archived: options['all'] === true,
        ...(search === undefined ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
      });
      const rows = page.environments.map((one) => [
        one.name,
        one.slug,
        one.id,
        one.runtime,
        resourceWords(one.resources),
        imageWords[one.image.state],
        verdictText(one),
      ]);
      context.print.result(page, () => toTable(['NAME', 'SLUG', 'ID', 'RUNTIME', 'RESOURCES', 'IMAGE', 'SETUP'], rows));
      if (page.next_cursor !== null) context.print.note(`${page.total} in all; the next page: --cursor ${page.next_cursor}`);
      return undefined;
    },
  });
};

const accessOf = ({ network_policy, privileged }: EnvironmentView) => ({ expected_access: { network_policy, privileged } });

/** Fields as one JSON object, when the text is one. @throws invalid_request */
const readJsonObject = (contents: string): EnvironmentPatch | null => {
  if (!contents.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(contents) as EnvironmentPatch;
  } catch {
    // YAML has braces too.
    return null;
  }
};

/** Changes what a file and the settings say, the settings over the file. @throws invalid_request */
const change = async (context: CommandContext, environment: EnvironmentView, options: Record<string, unknown>) => {
  const file = textOption(options, 'file');
  const settings = Array.isArray(options['set']) ? (options['set'] as string[]) : [];
  if (file === undefined && settings.length === 0)
    throw refused('invalid_request', 'Nothing to change was given.', 'Give --file FILE or --set key=value.');
  const contents = file === undefined ? null : await readInput(file);
  const fields = contents === null ? {} : readJsonObject(contents);
  const accepted = options['acceptAccess'] === true ? accessOf(environment) : {};
  const environment_id = environment.id;
  if (fields !== null) {
    const patch = { ...fields, ...parseSettings(settings), ...accepted };
    return await context.ask('environments.update', { environment_id, patch });
  }
  const fromFile = { environment_id, contents: contents ?? '', ...accessOf(environment) };
  const changed = await context.ask('environments.update_from_file', fromFile);
  if (settings.length === 0) return changed;
  const patch = { ...parseSettings(settings), ...(options['acceptAccess'] === true ? accessOf(changed) : {}) };
  return await context.ask('environments.update', { environment_id, patch });
};

const addUpdate = (env: Command): void =>
  defineCommand(env, {
    usage: 'update <environment>',
    does: 'Change fields of an environment; those not named stay',
    options: [
      ['-f, --file <file>', 'an environment file as YAML, or fields as one JSON object; what it does not name stays'],
      ['--set <key=value...>', 'one field; the value is JSON or else a text; a dot goes deeper: setup.script=...'],
      ['--accept-access', 'agree to a change of network access or privilege as it stands now'],
    ],
    examples: ['env update web --file web.yml', 'env update web --set description="The shop" --set metadata.team=shop'],
    act: async (given) => {
      const { context, options } = given;
      const environment = await findEnvironment(context, firstWord(given));
      return show(context, await change(context, environment, options));
    },
  });

const addLifecycle = (env: Command): void => {
  const one = async (given: Given) => ({ environment_id: (await findEnvironment(given.context, firstWord(given))).id });
  defineCommand(env, {
    usage: 'archive <environment>',
    does: 'Hide an environment; its sessions go on',
    examples: ['env archive web'],
    act: async (given) => show(given.context, await given.context.ask('environments.archive', await one(given))),
  });
  defineCommand(env, {
    usage: 'unarchive <environment>',
    does: 'Show an archived environment again',
    examples: ['env unarchive web'],
    act: async (given) => show(given.context, await given.context.ask('environments.unarchive', await one(given))),
  });
  defineCommand(env, {
    usage: 'delete <environment>',
    does: 'Delete an environment for good; past sessions stay readable, running ones go on. Its name is asked for',
    options: [yesOption],
    examples: ['env delete web', 'env delete web --yes'],
    act: async (given) => {
      const { id, name } = await findEnvironment(given.context, firstWord(given));
      await agreeToFinal(given.options, {
        question: `Delete the environment "${name}" for good? Its recipe, setup script, builds and pins are removed.`,
        word: name,
        agreed: `sandlot env delete ${id} --yes`,
      });
      const done = await given.context.ask('environments.delete', { environment_id: id });
      given.context.print.result(done, () => `"${name}" (${id}) is deleted.`);
      return undefined;
    },
  });
};

/** Adds `env` and what is below it. */
export const addEnvironmentCommands = (program: Command): void => {
  const env = program.command('env').description('Environments: make, read, change');
  addCreate(env);
  addReads(env);
  addUpdate(env);
  addLifecycle(env);
  addFolders(env);
};
