interface Named {
  name: string;
}

const listOf = (environments: readonly Named[]): string => environments.map(({ name }) => name).join(', ');

/** What is said when a secret was set: whose sessions get it, if anybody's, and when. A session has the secrets that it was launched with, until
 *  what changed in its environment is applied to it. Pure. */
export const setWords = (
  name: string,
  { had, given, isReplaced = false }: { had: readonly Named[]; given: readonly Named[]; isReplaced?: boolean },
): string => {
  const done = isReplaced ? `${name} has a new value.` : `${name} is set.`;
  if (had.length + given.length === 0) return `${done} No environment has it yet: choose it under Variables & secrets of one.`;
  return [
    done,
    ...(had.length > 0
      ? [
          `Sessions of ${listOf(had)}${isReplaced ? ' that have it' : ''} get it: a file at once, a variable in their next terminal, command or launch.`,
        ]
      : []),
    ...(given.length > 0 ? [`New sessions of ${listOf(given)} have it; one that runs offers it on its page.`] : []),
  ].join(' ');
};
