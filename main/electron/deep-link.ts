// `sandlot://environments/env_...` : a link from outside to a page of the app. It can only show something, never do something.

const pages = new Set(['environments', 'sessions', 'runtimes', 'images', 'settings']);

/** The page that a link means, as a path; null for anything that is not a page of ours. */
export const routeOfLink = (link: string): string | null => {
  const match = /^sandlot:\/\/([a-z]+)(?:\/([a-z]{3}_[0-9a-z]{26}))?\/?$/.exec(link);
  if (match === null || !pages.has(match[1] ?? '')) return null;
  return match[2] === undefined ? `/${match[1]}` : `/${match[1]}/${match[2]}`;
};

/** The first link of ours among the words of a command line. */
export const linkInWords = (words: readonly string[]): string | null => words.map(routeOfLink).find((route) => route !== null) ?? null;
