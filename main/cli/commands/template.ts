// `sandlot template ...`: starting points for environments, the reviewed ones and a person's own.
import type { Command } from 'commander';
import type { Template } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';
import { findEnvironment, findTemplate } from '../find-by-name.ts';
import { toFacts, toTable } from '../print.ts';

const show = ({ print }: CommandContext, template: Template): undefined =>
  void print.result(template, () => toFacts({ Template: template.id, Name: template.name, Summary: template.summary || null }));

const wording: [string, string][] = [
  ['-n, --name <name>', 'its name'],
  ['-s, --summary <text>', 'one line about it'],
];

const addSave = (group: Command): void =>
  defineCommand(group, {
    usage: 'save <environment>',
    does: 'Keep an environment as a template: all of it but the values of secrets, metadata and runtime',
    options: wording,
    examples: ['template save web --name "Our web app" --summary "Bun, our registry, the staging hosts"'],
    act: async (given) => {
      const { context, options } = given;
      const environment = await findEnvironment(context, firstWord(given));
      const [name, summary] = [textOption(options, 'name'), textOption(options, 'summary')];
      const words = { ...(name === undefined ? {} : { name }), ...(summary === undefined ? {} : { summary }) };
      return show(context, await context.ask('templates.save', { environment_id: environment.id, ...words }));
    },
  });

const addOwn = (group: Command): void => {
  defineCommand(group, {
    usage: 'update <template>',
    does: 'Change the name or summary of a template of your own, or take an environment anew for it',
    options: [...wording, ['-e, --env <environment>', 'the environment whose definition it gets']],
    examples: ['template update "Our web app" --name "Web app"', 'template update "Web app" --env web'],
    act: async (given) => {
      const { context, options } = given;
      const template = await findTemplate(context, firstWord(given));
      const [name, summary, from] = [textOption(options, 'name'), textOption(options, 'summary'), textOption(options, 'env')];
      if (name === undefined && summary === undefined && from === undefined)
        throw refused('invalid_request', 'Nothing to change was given.', 'Give --name, --summary or --env.');
      const changed = await context.ask('templates.update', {
        template_id: template.id,
        ...(name === undefined ? {} : { name }),
        ...(summary === undefined ? {} : { summary }),
        ...(from === undefined ? {} : { environment_id: (await findEnvironment(context, from)).id }),
      });
      return show(context, changed);
    },
  });
  defineCommand(group, {
    usage: 'delete <template>',
    does: 'Delete a template of your own; environments that were made from it stay',
    options: [yesOption],
    examples: ['template delete "Our web app"', 'template delete "Our web app" --yes'],
    act: async (given) => {
      const template = await findTemplate(given.context, firstWord(given));
      await agreeToFinal(given.options, {
        question: `Delete the template "${template.name}" for good? Environments that were made from it stay.`,
        agreed: `sandlot template delete ${template.id} --yes`,
      });
      const done = await given.context.ask('templates.delete', { template_id: template.id });
      given.context.print.result(done, () => `"${template.name}" is deleted; environments that were made from it stay.`);
      return undefined;
    },
  });
};

/** Adds `template` and what is below it. */
export const addTemplateCommands = (program: Command): void => {
  const group = program
    .command('template')
    .alias('templates')
    .description('Starting points for environments: the reviewed ones and your own');
  defineCommand(group, {
    usage: 'list',
    does: 'List templates: the reviewed ones, then your own',
    examples: ['template list', 'template list -o json'],
    act: async ({ context }) => {
      const found = await context.ask('templates.list', {});
      const rows = found.items.map((one) => [one.name, one.id, one.is_own ? 'your own' : 'reviewed', one.summary]);
      context.print.result(found, () => toTable(['NAME', 'ID', 'FROM', 'SUMMARY'], rows));
      return undefined;
    },
  });
  addSave(group);
  addOwn(group);
};
