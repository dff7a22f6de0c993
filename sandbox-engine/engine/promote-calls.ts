// The calls that turn what was typed in a session into a part of its environment: what was typed, and how the recipe or the setup script
// would read with it. Nothing is changed here: saving is `environments.update`, by whoever has seen the preview.
import { SandlotError } from '../base/errors.ts';
import type { CallArguments, CallOutput } from '../contract/calls.ts';
import type { Environment, Session } from '../contract/model.ts';
import { editRecipe } from '../recipe/edit.ts';
import { runningContainer } from '../session/running-container.ts';
import { readTyped } from '../session/shell-history.ts';
import { secretMask } from '../stream/redact.ts';
import type { ActivityRooms } from './activity.ts';
import { findEnvironment, type HandlersOf } from './house.ts';

type Preview = CallOutput<'promote.preview'>;
type Asked = CallArguments<'promote.preview'>;

const defaultTimeoutSeconds = 600;

const effects: Record<Asked['into'], string> = {
  initialize: 'The image must be built and pinned again; sessions use it from then on.',
  setup: 'The setup script must pass again before new sessions start from what it prepares.',
  session_start: 'New sessions run it in the background; nothing is built.',
};

/** One step for all, so that a `cd` or a variable among the commands holds for the next. */
const stepOf = ({ commands, name }: Asked, session: Session) => ({
  name: name ?? (commands.length === 1 ? (commands[0] ?? '') : `Typed in ${session.name}`).split('\n')[0]?.slice(0, 60) ?? '',
  run: commands.join('\n'),
});

type Change = Pick<Preview, 'before' | 'after' | 'patch'>;

const intoSetup = ({ setup }: Environment, { commands }: Asked): Change => {
  const before = setup?.script ?? '';
  const after = `${before === '' ? '' : `${before.trimEnd()}\n`}${commands.join('\n')}\n`;
  return { before, after, patch: { setup: { script: after, timeout_seconds: setup?.timeout_seconds ?? defaultTimeoutSeconds } } };
};

const intoRecipe = (environment: Environment, asked: Asked, session: Session): Change => {
  const { recipe_yaml: before, recipe, session_start } = environment;
  const step = stepOf(asked, session);
  const edit =
    asked.into === 'initialize' ? { recipe: { initialize: [...recipe.initialize, step] } } : { session_start: [...session_start, step] };
  const after = editRecipe(before, edit);
  return { before, after, patch: { recipe_yaml: after } };
};

const preview = (environment: Environment, session: Session, asked: Asked): Preview => {
  if (asked.commands.every((command) => command.trim() === '')) {
    throw new SandlotError('invalid_request', 'Which commands? Only blanks were given.', { details: { path: '/commands' } });
  }
  const masked = asked.commands.findIndex((command) => command.includes(secretMask));
  if (masked >= 0) {
    throw new SandlotError('invalid_request', 'A command has the value of a secret in it, which is masked: it would be saved without it.', {
      details: { path: `/commands/${masked}` },
      nextAction: `Leave it out, and name the secret in the environment: its sessions have it as a variable.`,
    });
  }
  const change = asked.into === 'setup' ? intoSetup(environment, asked) : intoRecipe(environment, asked, session);
  const { id, name, revision } = environment;
  return { environment_id: id, environment_name: name, revision, ...change, effect: effects[asked.into] };
};

/** Makes the handlers of `promote.*`. */
export const createPromoteCalls = ({ ground, sessions }: ActivityRooms): HandlersOf<'promote'> => ({
  'promote.history': async ({ session_id }) => {
    const session = await sessions.get(session_id);
    const containerId = runningContainer(session, 'reading what was typed needs a running one');
    const { commands, isCut } = await readTyped(ground.runtimeOf(session.runtime), containerId, ground.secrets.redactText);
    return { commands, is_cut: isCut };
  },
  'promote.preview': async (asked) => {
    const session = await sessions.get(asked.session_id);
    return preview(await findEnvironment(ground, session.environment_id), session, asked);
  },
});
