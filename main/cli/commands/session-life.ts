// `sandlot session replace|drift|apply|keep|undelete|rm`: moving a session to another configuration, and how long it is kept.
import type { Command } from 'commander';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment, findSession } from '../find-by-name.ts';
import { toFacts } from '../print.ts';
import { keptText, replacementText } from '../session-life-text.ts';

/** For so long a deletion can be taken back. */
const undoSeconds = 600;

const show = ({ print }: CommandContext, session: Session): void =>
  print.result(session, () =>
    toFacts({
      Session: session.id,
      Name: session.name,
      Environment: session.environment_name,
      Status: session.status,
      Kept: keptText(session),
      Message: session.message,
    }),
  );

const addReplace = (group: Command): void =>
  defineCommand(group, {
    usage: 'replace <session>',
    does: 'Move a session to another environment, or to its own as it is now: the workspace stays, all else in the sandbox is lost',
    options: [['-E, --env <environment>', 'the environment; its own unless given'], yesOption],
    examples: ['session replace my-session --env web', 'session replace my-session --env web --yes -o json'],
    act: async (given) => {
      const { context, options } = given;
      const session = await findSession(context, firstWord(given));
      const named = textOption(options, 'env');
      const target = named === undefined ? {} : { environment_id: (await findEnvironment(context, named)).id };
      const found = await context.ask('sessions.replacement', { session_id: session.id, ...target });
      if (found.problem === null) {
        context.print.note(replacementText(found));
        await agreeToFinal(options, {
          question: `Replace the sandbox of "${session.name}"?`,
          agreed: `sandlot session replace ${session.id}${named === undefined ? '' : ` --env ${target.environment_id}`} --yes`,
        });
      }
      // What stands in the way is said by the host, with its code.
      show(context, await context.ask('sessions.replace', { session_id: session.id, ...target }));
      return undefined;
    },
  });

const addDrift = (group: Command): void => {
  defineCommand(group, {
    usage: 'drift <session>',
    does: 'Say in what the environment of a session has changed since, and what brings it in',
    examples: ['session drift my-session', 'session drift my-session -o json'],
    act: async (given) => {
      const { context } = given;
      const session = await findSession(context, firstWord(given));
      const found = await context.ask('sessions.drift', { session_id: session.id });
      context.print.result(found, () =>
        toFacts({
          'Session runs revision': found.session_revision,
          'Environment is at': found.environment_revision ?? 'deleted',
          'To apply': found.to_apply.join(', ') || 'nothing',
          'To replace': found.to_replace.join(', ') || 'nothing',
          Live: found.live ? 'yes, before the next terminal or command' : 'no',
          Problem: found.problem,
        }),
      );
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'apply <session>',
    does: 'Give a running session the network rules, secrets and files of its environment as they are now',
    examples: ['session apply my-session'],
    act: async (given) => {
      const { context } = given;
      const session = await findSession(context, firstWord(given));
      show(context, await context.ask('sessions.apply', { session_id: session.id }));
      return undefined;
    },
  });
};

const addRename = (group: Command): void =>
  defineCommand(group, {
    usage: 'rename <session> <name>',
    does: 'Give a session another name',
    examples: ['session rename my-session "try the new parser"'],
    act: async (given) => {
      const { context, args } = given;
      const session = await findSession(context, firstWord(given));
      show(context, await context.ask('sessions.rename', { session_id: session.id, name: args[1] ?? '' }));
      return undefined;
    },
  });

const addKeep = (group: Command): void => {
  defineCommand(group, {
    usage: 'keep <session>',
    does: 'Keep a stopped session until it is deleted by hand, whatever its environment says',
    options: [['--usual', 'as long as its environment says, again']],
    examples: ['session keep my-session', 'session keep my-session --usual'],
    act: async (given) => {
      const { context, options } = given;
      const session = await findSession(context, firstWord(given));
      show(context, await context.ask('sessions.keep', { session_id: session.id, forever: options['usual'] !== true }));
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'undelete <session>',
    does: 'Take back a deletion while that is possible',
    examples: ['session undelete my-session'],
    act: async (given) => {
      const { context } = given;
      const session = await findSession(context, firstWord(given));
      show(context, await context.ask('sessions.undelete', { session_id: session.id }));
      return undefined;
    },
  });
};

const addRemove = (group: Command): void =>
  defineCommand(group, {
    usage: 'rm <session>',
    does: 'Stop a session and delete it with its workspace; for ten minutes that can be undone',
    options: [['--now', 'for good and at once']],
    examples: ['session rm my-session', 'session rm my-session --now'],
    act: async (given) => {
      const { context, options } = given;
      const session = await findSession(context, firstWord(given));
      const isNow = options['now'] === true;
      const undo = isNow ? {} : { undo_seconds: undoSeconds };
      const done = await context.ask('sessions.delete', { session_id: session.id, ...undo });
      context.print.result(done, () =>
        isNow ? `${session.id} is removed.` : `${session.id} is deleted. For ten minutes: sandlot session undelete ${session.id}`,
      );
      return exitCodes.ok;
    },
  });

/** Adds what concerns the life of sessions to the group of `session`. */
export const addSessionLife = (group: Command): void => {
  addReplace(group);
  addDrift(group);
  addRename(group);
  addKeep(group);
  addRemove(group);
};
