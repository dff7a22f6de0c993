// Environments to choose from by their names; the host is asked for those that are not here yet.
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { recentEnvironments } from './select.ts';
import { useStored } from './store.ts';

/** How many are offered at once. */
const shownChoices = 50;

/** Those that may be chosen; `onFailure` hears why more of them could not be looked for. */
export const useEnvironmentSearch = (isOffered: (environment: EnvironmentView) => boolean, onFailure: (error: ErrorBody) => void) => {
  const ask = useAsk();
  const environments = useStored((state) => recentEnvironments(state));
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const tell = useRef(onFailure);
  tell.current = onFailure;
  useEffect(() => {
    if (wanted.length < 2) return;
    void ask('environments.list', { search: wanted, limit: shownChoices }).then((reply) => reply.ok || tell.current(reply.error));
  }, [ask, wanted]);
  return { offered: environments.filter(isOffered), most: shownChoices, onSearch: setSearch };
};
