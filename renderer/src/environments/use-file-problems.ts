// What is wrong with a pasted environment file, while it is typed. The host checks only recipes without saving, so problems of the
// other fields come from a refused creation and stay until the text changes.
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { CallOutput, EnvironmentCreate } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { useAsk } from '../store/actions.ts';
import { notifyFailure } from '../ui/notify.tsx';

export type FileProblem = CallOutput<'recipes.check'>['problems'][number];
type RecipeKey = 'base' | 'env' | 'packages' | 'initialize' | 'session_start' | 'knowledge';

/** Keys of an environment file that are no part of a recipe; the compiler keeps the list whole. */
const fieldKeys: Record<Exclude<keyof EnvironmentCreate, RecipeKey>, true> = {
  name: true,
  description: true,
  metadata: true,
  runtime: true,
  repo: true,
  recipe_yaml: true,
  recipe: true,
  setup: true,
  runbook: true,
  skills: true,
  env_vars: true,
  secrets: true,
  secret_files: true,
  mcp_servers: true,
  mounts: true,
  network_policy: true,
  privileged: true,
  computer_use: true,
  resources: true,
  disk_gib: true,
  idle_stop_seconds: true,
  retention_seconds: true,
  live: true,
  warm: true,
};

const isBareRecipe = (text: string): boolean => {
  if (text.trimStart().startsWith('{')) return false;
  const keys = [...text.matchAll(/^["']?([A-Za-z_]\w*)["']?[ \t]*:/gm)].map((match) => match[1] ?? '');
  return !keys.some((key) => Object.hasOwn(fieldKeys, key));
};

const isProblem = (value: unknown): value is FileProblem => {
  const problem = value as Partial<FileProblem> | null;
  return typeof problem?.line === 'number' && typeof problem.column === 'number' && typeof problem.message === 'string';
};

/** The places that a refused creation names; none when it was refused for something else. */
export const problemsIn = (error: ErrorBody): FileProblem[] => {
  const problems = error.details['problems'];
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
};

/** Problems of the text now: those of the refused creation of this very text, or of the check of a bare recipe. */
export const useFileProblems = (text: string, isShown: boolean, refusal: { text: string; error: ErrorBody } | null): FileProblem[] => {
  const ask = useAsk();
  const [wanted] = useDebouncedValue(text, 250);
  const [checked, setChecked] = useState<{ text: string; problems: FileProblem[] } | null>(null);
  useEffect(() => {
    if (!isShown || !isBareRecipe(wanted)) return;
    let isCurrent = true;
    void ask('recipes.check', { recipe_yaml: wanted }).then((reply) => {
      if (!isCurrent) return;
      if (reply.ok) setChecked({ text: wanted, problems: reply.value.problems });
      else notifyFailure('The recipe could not be checked', reply.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, wanted, isShown]);
  if (refusal?.text === text) return problemsIn(refusal.error);
  return checked !== null && isBareRecipe(text) ? checked.problems : [];
};
