// What a session uses of the machine, for a screen: measured as long as it is shown, the last ten minutes of it.
import { useEffect, useState } from 'react';
import type { SessionUsage } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { useAppStore } from './store.ts';
import { useLease } from './use-ports.ts';

const keptMs = 600_000;

/** What is known; null until the first answer. */
export const useUsage = (sessionId: string, isRunning: boolean): SessionUsage | null => {
  const ask = useAsk();
  const { listen } = useAppStore();
  const [usage, setUsage] = useState<SessionUsage | null>(null);
  const [renew] = useState(() => () => {
    void ask('usage.watch', { session_ids: [sessionId] }).then((reply) => reply.ok && setUsage(reply.value.sessions[0] ?? null));
  });
  useLease(renew, isRunning);
  useEffect(
    () =>
      listen((event) => {
        if (event.name !== 'usage.measured') return;
        const found = event.payload.samples.find(({ session_id }) => session_id === sessionId);
        if (found === undefined) return;
        const { session_id: _mine, ...sample } = found;
        setUsage((known) => {
          if (known === null || known.samples.at(-1)?.at === sample.at) return known;
          const since = Date.parse(sample.at) - keptMs;
          return { ...known, trouble: null, samples: [...known.samples.filter(({ at }) => Date.parse(at) >= since), sample] };
        });
      }),
    [listen, sessionId],
  );
  return usage;
};
