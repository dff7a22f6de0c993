// The recipe while it is edited: its text is the truth, the form is a view of it. A form's edit is written into the text by
// the host, so that comments, order and quoting of everything else stay.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { noteEdit } from '../store/edits-under-way.ts';
import { notifyFailure } from '../ui/notify.tsx';

type Check = CallOutput<'recipes.check'>;
export type ParsedRecipe = NonNullable<Check['parsed']>;
type FormEdit = Omit<CallInput<'recipes.edit'>, 'recipe_yaml'>;

const checkDelayMs = 200;

const hasCommand = ({ run }: { run: string }): boolean => run.trim() !== '';

/** No recipe may have an empty base or command: what is half written stays in the form until it is whole. */
const isHalfWritten = ({ base, initialize, session_start }: ParsedRecipe): boolean =>
  base.trim() === '' || !initialize.every(hasCommand) || !session_start.every(hasCommand);

/** The edit without what is half written. */
const withoutHalves = ({ recipe, session_start, ...rest }: FormEdit): FormEdit => {
  const { base, initialize, ...others } = recipe ?? {};
  const whole = {
    ...others,
    ...(base !== undefined && base.trim() !== '' && { base }),
    ...(initialize !== undefined && { initialize: initialize.filter(hasCommand) }),
  };
  return {
    ...rest,
    ...(Object.keys(whole).length > 0 && { recipe: whole }),
    ...(session_start !== undefined && { session_start: session_start.filter(hasCommand) }),
  };
};

const applied = (parsed: ParsedRecipe, { recipe, session_start, knowledge }: FormEdit): ParsedRecipe => ({
  ...parsed,
  ...(recipe?.base !== undefined && { base: recipe.base }),
  ...(recipe?.env !== undefined && { env: recipe.env }),
  ...(recipe?.initialize !== undefined && { initialize: recipe.initialize }),
  ...(recipe?.packages !== undefined && { packages: { ...parsed.packages, ...(recipe.packages as Record<string, string[]>) } }),
  ...(session_start !== undefined && { session_start }),
  ...(knowledge !== undefined && { knowledge }),
});

/** What the host says of the text, a moment after it has changed. */
const useCheck = (text: string, onChecked: () => void) => {
  const ask = useAsk();
  const [check, setCheck] = useState<Check | null>(null);
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  const latest = useRef(onChecked);
  latest.current = onChecked;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const reply = await ask('recipes.check', { recipe_yaml: text });
      if (!isCurrent) return;
      if (!reply.ok) return setFailure(reply.error);
      setFailure(null);
      setCheck(reply.value);
      latest.current();
    }, checkDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [ask, text]);
  return { check, failure };
};

/** Text, form view, problems and the two ways to edit. */
export const useRecipe = (editing: Editing) => {
  const ask = useAsk();
  const text = editing.patch.recipe_yaml ?? editing.environment.recipe_yaml;
  const [local, setLocal] = useState<ParsedRecipe | null>(null);
  const latest = useRef({ text, editing });
  latest.current = { text, editing };
  const queue = useRef(Promise.resolve());
  const waiting = useRef(0);
  const { check, failure } = useCheck(text, () => {
    // While form edits are on their way, the form shows them and not the text before them.
    if (waiting.current === 0) setLocal((shown) => (shown !== null && isHalfWritten(shown) ? shown : null));
  });

  const setText = useCallback((recipe_yaml: string) => {
    setLocal(null);
    latest.current.editing.edit({ recipe_yaml });
  }, []);

  const parsed = local ?? check?.parsed ?? null;
  const editForm = useCallback(
    (edit: FormEdit) => {
      if (!parsed) return;
      setLocal(applied(parsed, edit));
      waiting.current += 1;
      queue.current = queue.current.then(async () => {
        const reply = await ask('recipes.edit', { recipe_yaml: latest.current.text, ...withoutHalves(edit) });
        waiting.current -= 1;
        if (!reply.ok) return notifyFailure('The form’s edit could not be written into the recipe', reply.error);
        if (reply.value.recipe_yaml === latest.current.text) return;
        latest.current.text = reply.value.recipe_yaml;
        latest.current.editing.edit({ recipe_yaml: reply.value.recipe_yaml });
      });
      noteEdit(latest.current.editing.environment.id, queue.current);
    },
    [ask, parsed],
  );

  return { text, setText, parsed, editForm, failure, problems: check?.problems ?? [], dockerfile: check?.dockerfile ?? null };
};
