// Where the window is: an address in the hash, with its query, as in `#/environments?search=web`. So the same bundle works from a file,
// from Electron and from the browser door, every place has a link, and a reload comes back to it.
import { useSyncExternalStore } from 'react';

interface NavigateOptions {
  /** Takes the place of the present one in the history. */
  replace?: boolean;
  state?: unknown;
}

const listen = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

const whole = (): string => location.hash.replace(/^#?\/?/, '/');
const pathNow = (): string => whole().split('?', 1)[0] ?? '/';

/** The query of the present place, without its question mark. */
export const queryNow = (): string => whole().slice(pathNow().length + 1);

/** Goes somewhere; what begins with a question mark is another query of the same page. */
export const goTo = (to: string, { replace = false, state = null }: NavigateOptions = {}): void => {
  const next = to.startsWith('?') ? `${pathNow()}${to === '?' ? '' : to}` : `/${to.replace(/^#?\/?/, '')}`;
  const before = location.href;
  history[replace ? 'replaceState' : 'pushState'](state, '', `#${next}`);
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL: before, newURL: location.href }));
};

const useQuery = (): string => useSyncExternalStore(listen, queryNow);

/** The location hook of the router. */
export const useHashPlace = (): [string, typeof goTo] => [useSyncExternalStore(listen, pathNow), goTo];
useHashPlace.hrefs = (href: string): string => `#${href}`;
useHashPlace.searchHook = useQuery;
