// The calls about templates: the reviewed ones, and environments that a person keeps as a starting point. A template holds no value of a secret.
// Source: SPEC.md 4.
import { SandlotError } from '../base/errors.ts';
import type { CallArguments } from '../contract/calls.ts';
import type { Environment, Template } from '../contract/model.ts';
import { templates as reviewed } from '../recipe/templates.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';

type Rooms = Pick<House, 'registry' | 'secrets' | 'newId' | 'clock'>;

/** Everything of an environment that a new one can be made from, but for what is of this one alone: name, metadata, runtime. Pure. */
const definitionOf = (environment: Environment): Record<string, unknown> => {
  const { description, repo, recipe_yaml, setup, runbook, skills, env_vars, secrets, secret_files, mcp_servers } = environment;
  const { mounts, network_policy, privileged, computer_use, resources, disk_gib, idle_stop_seconds, retention_seconds, live } = environment;
  return {
    ...{ description, repo, recipe_yaml, setup, runbook, skills, env_vars, secrets, secret_files, mcp_servers },
    ...{ mounts, network_policy, privileged, computer_use, resources, disk_gib, idle_stop_seconds, retention_seconds, live },
  };
};

/** @throws invalid_request when some field of it holds a known value */
const refuseSecrets = ({ secrets }: Rooms, definition: Record<string, unknown>): void => {
  const holds = (value: unknown): boolean => {
    const text = JSON.stringify(value) ?? '';
    return secrets.redactText(text) !== text;
  };
  const fields = Object.keys(definition).filter((key) => holds(definition[key]));
  if (fields.length === 0) return;
  throw new SandlotError('invalid_request', `The value of a secret stands in "${fields.join('", "')}", so no template was made of it.`, {
    details: { path: `/${fields[0]}`, fields },
    nextAction: 'Name the secret on the Secrets panel instead of writing its value, and save again.',
  });
};

const checkName = (name: string): void => {
  const isReviewed = reviewed.some((one) => one.name.toLowerCase() === name.toLowerCase());
  if (isReviewed) {
    throw new SandlotError('already_exists', `"${name}" is the name of a reviewed template.`, {
      details: { path: '/name' },
      nextAction: 'Choose another name.',
    });
  }
  if (name.trim() === '' || /[\p{Cc}\p{Surrogate}]/u.test(name)) {
    throw new SandlotError('invalid_request', 'The name is blank or holds a control character.', {
      details: { path: '/name' },
      nextAction: 'Write a name in visible characters.',
    });
  }
};

const takeFrom = async (rooms: Rooms, environmentId: string): Promise<Environment> => {
  await rooms.secrets.ready();
  const environment = await findEnvironment(rooms, environmentId);
  refuseSecrets(rooms, definitionOf(environment));
  return environment;
};

const save = async (rooms: Rooms, asked: CallArguments<'templates.save'>): Promise<Template> => {
  const environment = await takeFrom(rooms, asked.environment_id);
  const { name = environment.name, summary = environment.description } = asked;
  checkName(name);
  const definition = { ...definitionOf(environment), name };
  const template: Template = { id: rooms.newId('tpl'), revision: 1, name, summary, definition, is_own: true };
  await rooms.registry.templates.insert(template, rooms.clock.iso());
  return template;
};

const update = async (rooms: Rooms, asked: CallArguments<'templates.update'>): Promise<Template> => {
  const stored = await rooms.registry.templates.find(asked.template_id);
  if (stored === null) {
    throw new SandlotError('not_found', `There is no template "${asked.template_id}" of your own.`, {
      nextAction: 'List them with: sandlot template list',
    });
  }
  const { name = stored.name, summary = stored.summary, environment_id: from } = asked;
  checkName(name);
  const definition = from === undefined ? stored.definition : definitionOf(await takeFrom(rooms, from));
  const template = { ...stored, name, summary, definition: { ...definition, name }, revision: stored.revision + 1 };
  await rooms.registry.templates.replace(template);
  return template;
};

/** Makes the handlers of `templates.*`. */
export const createTemplateCalls = (rooms: Rooms): HandlersOf<'templates'> => ({
  'templates.list': async () => ({ items: [...reviewed, ...(await rooms.registry.templates.list())] }),
  'templates.save': (asked) => save(rooms, asked),
  'templates.update': (asked) => update(rooms, asked),
  'templates.delete': async ({ template_id }) => {
    await rooms.registry.templates.remove(template_id);
    return { ok: true };
  },
});
