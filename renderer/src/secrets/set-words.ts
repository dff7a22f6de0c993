interface Named {
  name: string;
}

const listOf = (environments: readonly Named[]): string => environments.map(({ name }) => name).join(', ');

/** What is said when a secret was set: whose sessions get it, if anybody's, and when. A session has the secrets that it was launched with, until
 *  what changed in its environment is applied to it. Pure. */
export const setWords = (name: string, { had, given }: { had: readonly Named[]; given: readonly Named[] }): string => {
  if (had.length + given.length === 0) return `${name} is set. No environment has it yet: choose it under Variables & secrets of one.`;
  return [
    `${name} is set.`,
    ...(had.length > 0 ? [`Sessions of ${listOf(had)} get it: a file at once, a variable in their next terminal, command or launch.`] : []),
    ...(given.length > 0 ? [`New sessions of ${listOf(given)} have it; one that runs offers it on its page.`] : []),
  ].join(' ');
};
