// Which ports a session is newly listened at, for who looks at another part of it. Nobody looks for them by the clock: what a terminal prints is
// the sign that a server may have begun, and for a while after it the host tells what changes.
import { useSessionStorage } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Session, SessionPorts } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import { terminalsOf } from './select.ts';
import { useStored } from './store.ts';
import { useEvents } from './use-events.ts';

/** Within it the host goes on looking by itself after it was asked once. */
const looksOnMs = 15_000;

/** Asks the host to look for a while, not sooner than it has stopped doing so, and not for a window that nobody sees. */
const useLook = ({ id }: Session, onPorts: (ports: SessionPorts) => void) => {
  const ask = useAsk();
  const lookedAt = useRef(-looksOnMs);
  return () => {
    const now = performance.now();
    if (now - lookedAt.current < looksOnMs || document.visibilityState === 'hidden') return;
    lookedAt.current = now;
    void ask('ports.watch', { session_id: id }).then((reply) => reply.ok && onPorts(reply.value));
  };
};

/** How many there are that were not there when their part was last shown. */
export const useNewPorts = (session: Session, isShown: boolean): number => {
  const { id } = session;
  const isRunning = session.status === 'running' && session.deleted_at == null;
  const isOpen = useStored((state) => state.link === 'open');
  const streams = useStored((state) => terminalsOf(state, id).map((terminal) => terminal.stream_id));
  const [listening, setListening] = useState<readonly number[] | null>(null);
  const [seen, setSeen] = useSessionStorage<readonly number[]>({
    key: `sandlot-ports-seen ${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const hear = (ports: SessionPorts) => {
    if (ports.listening === null) return;
    const found = [...new Set(ports.listening.map(({ port }) => port))];
    setListening(found);
    // What has ended and begins anew is new.
    if (!isShown) setSeen((known) => known.filter((port) => found.includes(port)));
  };
  const look = useLook(session, hear);
  useEvents((event) => {
    if (event.name === 'ports.changed' && event.payload.session_id === id) hear(event.payload);
    // Where they are shown they are looked at already.
    if (event.name === 'stream.grew' && isRunning && !isShown && streams.includes(event.payload.stream_id)) look();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is opened, not whenever it is drawn
  useEffect(() => {
    if (isRunning && isOpen && !isShown) look();
  }, [id, isRunning, isOpen]);
  useEffect(() => {
    if (isShown && listening !== null) setSeen(listening);
  }, [isShown, listening, setSeen]);
  if (isShown || !isRunning) return 0;
  return (listening ?? []).filter((port) => !seen.includes(port)).length;
};
