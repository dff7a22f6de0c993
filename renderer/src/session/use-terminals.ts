// Which terminals of a session are shown, which one is in front, and what opening and closing does.
import { useLocalStorage } from '@mantine/hooks';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Session, Terminal } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { terminalsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { measureCells } from '../ui/measure-cells.ts';
import { useBusy } from '../ui/use-busy.ts';

/** Tabs of ended terminals are closed here only; a title given here is this window's own. */
interface TabMemory {
  closed: string[];
  titles: Record<string, string>;
}

/** The terminals of `session`; the first one opens by itself as soon as the session runs. */
export const useTerminals = (session: Session, room: RefObject<HTMLDivElement | null>) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The terminal did not open');
  const [memory, setMemory] = useLocalStorage<TabMemory>({
    key: `sandlot-tabs-${session.id}`,
    defaultValue: { closed: [], titles: {} },
    getInitialValueInEffect: false,
  });
  const all = useStored((state) => terminalsOf(state, session.id));
  const terminals = all.filter((terminal) => !memory.closed.includes(terminal.id));
  const [picked, setPicked] = useState<string | null>(null);
  const active = terminals.find((terminal) => terminal.id === picked)?.id ?? terminals.at(-1)?.id ?? null;
  const isRunning = session.status === 'running';
  const [isListed, setListed] = useState(false);
  const hasOpened = useRef(false);

  const open = useCallback(async () => {
    if (!room.current) return;
    const terminal = await run(ask('terminals.open', { session_id: session.id, ...measureCells(room.current) }));
    if (terminal) setPicked(terminal.id);
  }, [ask, run, session.id, room]);

  useEffect(() => {
    void ask('terminals.list', { session_id: session.id }).then(() => setListed(true));
  }, [ask, session.id]);

  const hasRunning = all.some((terminal) => terminal.status === 'running');
  useEffect(() => {
    if (!isRunning || !isListed || hasRunning || hasOpened.current) return;
    hasOpened.current = true;
    void open();
  }, [isRunning, isListed, hasRunning, open]);
  useEffect(() => {
    // Once there was one, closing the last is the person's wish; after a stop the next start opens one again.
    hasOpened.current = isRunning && (hasRunning || hasOpened.current);
  }, [isRunning, hasRunning]);

  const close = async (terminal: Terminal) => {
    setMemory((known) => ({ ...known, closed: [...known.closed, terminal.id] }));
    if (terminal.status === 'running') await run(ask('terminals.close', { terminal_id: terminal.id }));
  };

  return {
    terminals,
    active,
    isBusy,
    open,
    close,
    pick: setPicked,
    titleOf: (terminal: Terminal) => memory.titles[terminal.id] ?? terminal.title,
    rename: (id: string, title: string) => setMemory((known) => ({ ...known, titles: { ...known.titles, [id]: title } })),
  };
};
