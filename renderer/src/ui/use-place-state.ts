// State of a page that its link carries: filters, what is picked. It is there after a reload, on the way back, and for whoever gets the link.
import { useCallback } from 'react';
import { goTo, queryNow, useHashPlace } from './hash-location.ts';

interface PlaceStateOptions<T> {
  /** Each value is a step of the history that Back takes back; else it only changes the link. */
  isStep?: boolean;
  /** All that there are: a link of another version may have one more. */
  known?: readonly T[];
}

/** A text in the query of the place, by its name; `usual` is not written there. */
export const usePlaceState = <T extends string>(name: string, usual: T, { isStep = false, known }: PlaceStateOptions<T> = {}) => {
  const said = (new URLSearchParams(useHashPlace.searchHook()).get(name) ?? usual) as T;
  const value = known === undefined || known.includes(said) ? said : usual;
  const set = useCallback(
    (next: T) => {
      // As it is now: another piece of the page may have changed it since this was drawn.
      const query = new URLSearchParams(queryNow());
      if (next === usual) query.delete(name);
      else query.set(name, next);
      if (query.toString() !== queryNow()) goTo(`?${query}`, { replace: !isStep });
    },
    [name, usual, isStep],
  );
  return [value, set] as const;
};
