// The ports of a session, for a screen: looked at as long as it is shown, told as they change. Nothing of it is kept in the state.
import { useEffect, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { SessionPorts } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { useAppStore, useStored } from './store.ts';

/** Shorter than the host goes on looking by itself. */
const renewMs = 8_000;

/** Calls `renew` now and again and again, but not while nobody can see the window. */
export const useLease = (renew: () => void, isWanted: boolean): void => {
  const isOpen = useStored((state) => state.link === 'open');
  useEffect(() => {
    if (!isOpen || !isWanted) return;
    const look = () => {
      if (document.visibilityState !== 'hidden') renew();
    };
    look();
    const timer = setInterval(look, renewMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [renew, isOpen, isWanted]);
};

/** What is known; null until the first answer. */
export const usePorts = (sessionId: string, isRunning: boolean) => {
  const ask = useAsk();
  const { listen } = useAppStore();
  const [ports, setPorts] = useState<SessionPorts | null>(null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  const [renew] = useState(() => () => {
    void ask('ports.watch', { session_id: sessionId }).then((reply) => {
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setPorts(reply.value);
    });
  });
  useLease(renew, isRunning);
  useEffect(
    () => listen((event) => event.name === 'ports.changed' && event.payload.session_id === sessionId && setPorts(event.payload)),
    [listen, sessionId],
  );
  return { ports, problem };
};
