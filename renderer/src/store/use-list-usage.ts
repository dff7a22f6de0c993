// What the running sessions of a list use of the machine, measured calmly and only while the list is seen.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Session, UsageSample } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { useAppStore } from './store.ts';
import { useLease } from './use-ports.ts';

/** The newest sample of each session, by its id; a session of which nothing is known yet is not in it. */
export type ListUsage = ReadonlyMap<string, Pick<UsageSample, 'cpus' | 'memory_bytes'>>;

/** As many as the host measures for one question. */
const mostAtOnce = 50;

/** What is known. */
export const useListUsage = (sessions: readonly Session[]): ListUsage => {
  const ask = useAsk();
  const { listen } = useAppStore();
  const [usage, setUsage] = useState<ListUsage>(new Map());
  const running = sessions.filter(({ status }) => status === 'running').slice(0, mostAtOnce);
  // The same sessions are the same question, however often the list is drawn.
  const key = running.map(({ id }) => id).join(' ');
  const ids = useMemo(() => (key === '' ? [] : key.split(' ')), [key]);
  const put = useCallback((found: readonly (readonly [string, UsageSample])[]) => {
    if (found.length > 0) setUsage((known) => new Map([...known, ...found]));
  }, []);
  const renew = useCallback(() => {
    void ask('usage.watch', { session_ids: ids, calm: true }).then((reply) => {
      if (!reply.ok) return;
      put(reply.value.sessions.flatMap(({ session_id, samples }) => samples.slice(-1).map((sample) => [session_id, sample] as const)));
    });
  }, [ask, ids, put]);
  useLease(renew, ids.length > 0);
  useEffect(
    () =>
      listen((event) => {
        if (event.name !== 'usage.measured') return;
        put(event.payload.samples.filter(({ session_id }) => ids.includes(session_id)).map((sample) => [sample.session_id, sample]));
      }),
    [listen, ids, put],
  );
  return useMemo(() => new Map([...usage].filter(([id]) => ids.includes(id))), [usage, ids]);
};
