import { shortId } from './format.ts';

/** Environments as a field of the kit wants them; a name that is there twice has its id with it. Pure. */
export const environmentChoices = (offered: readonly { id: string; name: string }[]): { value: string; label: string }[] => {
  const isTwice = (name: string): boolean => offered.filter((one) => one.name === name).length > 1;
  return offered.map(({ id, name }) => ({ value: id, label: isTwice(name) ? `${name} (${shortId(id)})` : name }));
};
