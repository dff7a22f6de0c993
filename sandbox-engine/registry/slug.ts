// A short name for links and commands, made once from an environment's name. Uniqueness is the store's job.

/** Long enough to read, short enough for a label in a host name with a number behind it. */
const maxLength = 56;

/** Lower-case `[a-z0-9-]` from a name; `environment` when nothing is left of it. */
export const slugFromName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
  return slug === '' ? 'environment' : slug;
};
