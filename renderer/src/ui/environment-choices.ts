import { shortId } from './format.ts';

/** Environments as a field of the kit wants them; a name that is there twice has its id with it. Pure. */
export const environmentChoices = (offered: readonly { id: string; name: string }[]): { value: string; label: string }[] => {
  const counts = new Map<string, number>();
  for (const { name } of offered) counts.set(name, (counts.get(name) ?? 0) + 1);
  return offered.map(({ id, name }) => ({ value: id, label: counts.get(name) === 1 ? name : `${name} (${shortId(id)})` }));
};
