// The rows of the environments table: pages from the host, joined with what was created since.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { createdSince } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { notifyFailure } from '../ui/notify.tsx';

interface Loaded {
  ids: string[];
  cursor: string | null;
  total: number;
  firstCreatedAt: string | undefined;
  problem: { message: string; next_action: string | null } | null;
}

const isMatch = (environment: EnvironmentView, search: string): boolean =>
  `${environment.name} ${environment.id}`.toLowerCase().includes(search.toLowerCase());

const useRows = (loaded: Loaded | null, search: string, includeArchived: boolean) => {
  // While the host is away nothing can be asked: what the window knows is shown, and the banner says that it may be old.
  const isAway = useStored((state) => state.link === 'lost') && loaded === null;
  const environments = useStored((state) => state.environments);
  const rows = useMemo(() => {
    if (isAway) return createdSince(environments, undefined, includeArchived).filter((environment) => isMatch(environment, search));
    if (!loaded) return [];
    const fresh = search === '' ? createdSince(environments, loaded.firstCreatedAt, includeArchived) : [];
    const ids = new Set([...fresh.map(({ id }) => id), ...loaded.ids]);
    return [...ids].flatMap((id) => {
      const environment = environments[id];
      return environment !== undefined && (includeArchived || environment.archived_at === null) ? [environment] : [];
    });
  }, [environments, loaded, isAway, search, includeArchived]);
  return { rows, isAway };
};

/** Pages of environments that match; `loadMore` gets the next one and may be called too often. */
export const useEnvironmentList = (search: string, includeArchived: boolean) => {
  const ask = useAsk();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const isLoading = useRef(false);
  // A restored registry is another list.
  const source = useStored((state) => (state.link === 'open' && state.seq !== null ? (state.registry?.kept_aside ?? 'whole') : null));

  const load = useCallback(
    async (cursor: string | null) => {
      const filter = { include_archived: includeArchived, ...(search !== '' && { search }) };
      return await ask('environments.list', { limit: 100, ...filter, ...(cursor !== null && { cursor }) });
    },
    [ask, search, includeArchived],
  );

  useEffect(() => {
    if (source === null) return;
    let isCurrent = true;
    void load(null).then((reply) => {
      if (!isCurrent) return;
      if (!reply.ok) return setLoaded({ ids: [], cursor: null, total: 0, firstCreatedAt: undefined, problem: reply.error });
      const { environments, next_cursor, total } = reply.value;
      const ids = environments.map((environment) => environment.id);
      setLoaded({ ids, cursor: next_cursor, total, firstCreatedAt: environments[0]?.created_at, problem: null });
    });
    return () => {
      isCurrent = false;
    };
  }, [load, source]);

  const loadMore = useCallback(async () => {
    if (isLoading.current || !loaded?.cursor) return;
    isLoading.current = true;
    const reply = await load(loaded.cursor);
    isLoading.current = false;
    if (!reply.ok) return notifyFailure('More environments could not be read', reply.error);
    const more = reply.value.environments.map((environment) => environment.id);
    setLoaded((known) => (known === loaded ? { ...known, ids: [...known.ids, ...more], cursor: reply.value.next_cursor } : known));
  }, [load, loaded]);

  const known = useStored((state) => state.environmentsTotal);
  const { rows, isAway } = useRows(loaded, search, includeArchived);
  // What the host counted when it was asked is old as soon as one is archived or deleted; of all that are not archived it tells the number.
  const counted = search === '' && !includeArchived ? known : (loaded?.total ?? 0);
  const total = Math.max(counted, rows.length);
  return {
    rows,
    total,
    isFirstLoad: loaded === null && !isAway,
    problem: loaded?.problem ?? null,
    hasMore: loaded?.cursor != null,
    loadMore,
  };
};
