// Which runtimes hold something of ours and do not answer: what is in them is not counted on any page.
import { useMemo } from 'react';
import { awayRuntimes } from './select.ts';
import { useStored } from './store.ts';

const kinds = { docker: 'Docker', podman: 'Podman', unknown: 'A runtime' };

/** `Docker`, `Docker and Podman`; null when all answer. */
export const useAway = (): string | null => {
  const away = useStored(awayRuntimes);
  return away.length === 0 ? null : [...new Set(away.map(({ kind }) => kinds[kind]))].join(' and ');
};

/** Those runtimes themselves, by their ids. */
export const useAwayIds = (): ReadonlySet<string> => {
  const away = useStored(awayRuntimes);
  return useMemo(() => new Set(away.map(({ id }) => id)), [away]);
};
