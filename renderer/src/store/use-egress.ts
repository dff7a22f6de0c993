// What sandboxes try, for a screen: the log that grows, its sums by destination, and grants. Nothing of it is kept in the state.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { EgressGrant, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { type AttemptList, addNew, addPage, type EgressQuery, isAsked } from './attempt-list.ts';
import { useStored } from './store.ts';
import { useEvents } from './use-events.ts';

interface Problem {
  message: string;
  next_action: string | null;
}

const pageSize = 500;
/** Sums are asked for again this long after something new came, not at each attempt. */
const sumEveryMs = 1_500;

/** Changes when the link was opened anew: what is shown is read again. */
const useConnection = (): boolean => useStored((state) => state.link === 'open');

/** Adds what comes to the list; what comes before the first page waits for it. */
const useGrowth = (query: EgressQuery, isPaused: boolean, setList: (change: (known: AttemptList | null) => AttemptList | null) => void) => {
  const [missed, setMissed] = useState(0);
  const early = useRef<LoggedAttempt[]>([]);
  useEvents((event) => {
    if (event.name !== 'egress.attempts') return;
    const came = event.payload.attempts.filter((attempt) => isAsked(attempt, query));
    if (came.length === 0) return;
    if (isPaused) return setMissed((before) => before + came.length);
    early.current = [...early.current, ...came].slice(-2_000);
    setList((known) => known && addNew(known, came));
  });
  const begin = useCallback(() => {
    early.current = [];
    setMissed(0);
  }, []);
  return { missed, early, begin };
};

/** The log of what a query asks for, the newest first; it grows by itself unless `isPaused`. */
export const useAttempts = (query: EgressQuery, isPaused: boolean) => {
  const ask = useAsk();
  const isOpen = useConnection();
  const [list, setList] = useState<AttemptList | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isLoading = useRef(false);
  const { missed, early, begin } = useGrowth(query, isPaused, setList);
  const key = JSON.stringify(query);

  const load = useCallback(
    (after: string | null) =>
      ask('egress.log', { ...(JSON.parse(key) as EgressQuery), limit: pageSize, ...(after === null ? {} : { after }) }),
    [ask, key],
  );

  useEffect(() => {
    if (!isOpen || isPaused) return;
    let isCurrent = true;
    begin();
    void load(null).then((reply) => {
      if (!isCurrent) return;
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setList(addNew(addPage(null, reply.value), early.current));
    });
    return () => {
      isCurrent = false;
    };
  }, [load, isOpen, isPaused, begin, early]);

  const loadMore = useCallback(async () => {
    if (isLoading.current || !list?.cursor) return;
    isLoading.current = true;
    const reply = await load(list.cursor);
    isLoading.current = false;
    if (reply.ok) setList((known) => addPage(known, reply.value));
  }, [load, list]);

  return { list, problem, missed, loadMore };
};

/** The sums by destination of what a query asks for; null until they are here. `refresh` asks for them now. */
export const useDestinations = (query: EgressQuery, isPaused = false) => {
  const ask = useAsk();
  const isOpen = useConnection();
  const [sums, setSums] = useState<CallOutput<'egress.summary'> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const key = JSON.stringify(query);

  const refresh = useCallback(async () => {
    const reply = await ask('egress.summary', { ...(JSON.parse(key) as EgressQuery), limit: pageSize });
    if (reply.ok) setSums(reply.value);
  }, [ask, key]);

  useEffect(() => {
    if (isOpen && !isPaused) void refresh();
    return () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    };
  }, [refresh, isOpen, isPaused]);

  useEvents((event) => {
    const isNews = event.name === 'egress.attempts' && event.payload.attempts.some((attempt) => isAsked(attempt, query));
    const isPolicy = event.name === 'environment.changed' && event.payload.id === query.environment_id;
    if (isPaused || timer.current || !(isNews || isPolicy)) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      void refresh();
    }, sumEveryMs);
  });

  return { sums, refresh };
};

/** Grants of a session, or of an environment; the newest first. */
export const useGrants = (of: Pick<EgressQuery, 'environment_id' | 'session_id'>): readonly EgressGrant[] => {
  const ask = useAsk();
  const isOpen = useConnection();
  const [grants, setGrants] = useState<EgressGrant[]>([]);
  const { environment_id, session_id } = of;
  useEffect(() => {
    if (!isOpen) return;
    const filter = { ...(environment_id !== undefined && { environment_id }), ...(session_id !== undefined && { session_id }) };
    void ask('egress.grants', filter).then((reply) => reply.ok && setGrants(reply.value.grants));
  }, [ask, isOpen, environment_id, session_id]);
  useEvents((event) => {
    if (event.name !== 'grant.changed') return;
    const { payload } = event;
    const isMine =
      (environment_id ?? payload.environment_id) === payload.environment_id && (session_id ?? payload.session_id) === payload.session_id;
    if (isMine)
      setGrants((known) =>
        [payload, ...known.filter(({ id }) => id !== payload.id)].sort((a, b) => b.granted_at.localeCompare(a.granted_at)),
      );
  });
  return grants;
};
