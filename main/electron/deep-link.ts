// `sandlot://environments/env_.../network` : a link from outside to a page of the app. It can only show something, never do something.

/** Pages by their first word: the prefix of the ids below it, and the tabs below an id. */
const pages: Record<string, { id?: string; tabs?: readonly string[] }> = {
  home: {},
  environments: {
    id: 'env',
    tabs: ['overview', 'recipe', 'setup', 'builds', 'network', 'access', 'resources', 'variables', 'knowledge', 'sessions'],
  },
  sessions: { id: 'ses', tabs: ['terminals', 'network', 'files', 'changes', 'ports', 'activity', 'tape', 'screen'] },
  agents: { id: 'agt' },
  network: {},
  secrets: {},
  images: {},
  activity: {},
  runtimes: {},
  storage: {},
  settings: {},
};

/** The page that a link means, as a path; null for anything that is not a page of ours. */
export const routeOfLink = (link: string): string | null => {
  const match = /^sandlot:\/\/([a-z]{1,20})(?:\/([a-z]{3})_([0-9a-z]{26})(?:\/([a-z]{1,20}))?)?\/?$/.exec(link);
  const [, name = '', prefix, id, tab] = match ?? [];
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined || (prefix !== undefined && prefix !== page.id)) return null;
  if (tab !== undefined && !page.tabs?.includes(tab)) return null;
  const path = [name === 'home' ? '' : name, ...(prefix === undefined ? [] : [`${prefix}_${id}`]), ...(tab === undefined ? [] : [tab])];
  return `/${path.join('/')}`;
};

/** The first link of ours among the words of a command line. */
export const linkInWords = (words: readonly string[]): string | null => words.map(routeOfLink).find((route) => route !== null) ?? null;

/** What is used of Electron's app to hear of links. */
export interface LinkSource {
  on: ((event: 'open-url', hear: (event: { preventDefault: () => void }, link: string) => void) => unknown) &
    ((event: 'second-instance', hear: (event: unknown, words: string[]) => void) => unknown);
}

/** Hears of links from the first moment on, since macOS tells the one that started the app before it is ready; `follow` gets the newest of
 * those that came before it, and each one after. A second start without a link wants the window as it is: `/`. */
export const gatherLinks = (app: LinkSource, firstWords: readonly string[]): { follow: (open: (route: string) => void) => void } => {
  let waiting = linkInWords(firstWords) ?? '/';
  let open: ((route: string) => void) | null = null;
  const hear = (route: string | null): void => {
    if (open !== null) open(route ?? '/');
    else if (route !== null) waiting = route;
  };
  app.on('open-url', (event, link) => {
    event.preventDefault();
    hear(routeOfLink(link));
  });
  app.on('second-instance', (_event, words) => hear(linkInWords(words)));
  return {
    follow: (next) => {
      open = next;
      next(waiting);
    },
  };
};
