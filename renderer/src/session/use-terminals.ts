// Which terminals of a session are shown, which are in front, and what opening and closing does.
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
  /** The one in front. */
  picked?: string;
  /** The one that stands beside it, and how much of the room is left of that, in percent. */
  beside?: string | null;
  share?: number;
  /** Earlier ones that were opened again to be read. */
  reopened?: string[];
}

const useTabMemory = (sessionId: string) => {
  const [memory, setMemory] = useLocalStorage<TabMemory>({
    key: `sandlot-tabs-${sessionId}`,
    defaultValue: { closed: [], titles: {} },
    getInitialValueInEffect: false,
  });
  const remember = useCallback((more: Partial<TabMemory>) => setMemory((known) => ({ ...known, ...more })), [setMemory]);
  return { memory, setMemory, remember };
};

/** Which terminal stands in front and which beside it; two of them, or one alone. */
export const placesOf = (
  terminals: readonly Pick<Terminal, 'id'>[],
  { picked, beside = null }: Pick<TabMemory, 'picked' | 'beside'>,
): { active: string | null; beside: string | null } => {
  const others = terminals.filter(({ id }) => id !== beside);
  const isSplit = others.length > 0 && others.length < terminals.length;
  const front = isSplit ? others : terminals;
  return { active: (front.find(({ id }) => id === picked) ?? front.at(-1))?.id ?? null, beside: isSplit ? beside : null };
};

/** The tabs in the order of what they show: the one beside right after the one in front. */
export const inOrder = <One extends Pick<Terminal, 'id'>>(
  terminals: readonly One[],
  { active, beside }: { active: string | null; beside: string | null },
): One[] => {
  const second = terminals.find(({ id }) => id === beside);
  if (second === undefined) return [...terminals];
  return terminals.flatMap((one) => (one === second ? [] : one.id === active ? [one, second] : [one]));
};

/** Whether it belongs to the sandbox as it was before its newest start: then it makes way for those of now. */
export const isEarlier = (
  { status, created_at: createdAt, ended_with_session: withSession = false }: Terminal,
  session: Pick<Session, 'status' | 'started_at'>,
): boolean =>
  status !== 'running' &&
  ((withSession && session.status === 'running') ||
    (session.started_at !== null && Date.parse(createdAt) < Date.parse(session.started_at)));

/** The first terminal opens by itself as soon as the session runs. */
const useFirstTerminal = (session: Session, hasRunning: boolean, open: () => Promise<void>): void => {
  const ask = useAsk();
  const isRunning = session.status === 'running';
  const [isListed, setListed] = useState(false);
  const hasOpened = useRef(false);
  // In another sandbox than the one before, nothing is open yet.
  const sandbox = useRef(session.container_id);
  if (session.container_id !== null && session.container_id !== sandbox.current) {
    if (sandbox.current !== null) hasOpened.current = false;
    sandbox.current = session.container_id;
  }
  useEffect(() => {
    void ask('terminals.list', { session_id: session.id }).then(() => setListed(true));
  }, [ask, session.id]);
  useEffect(() => {
    if (!isRunning || !isListed || hasRunning || hasOpened.current) return;
    hasOpened.current = true;
    void open();
  }, [isRunning, isListed, hasRunning, open]);
  useEffect(() => {
    // Once there was one, closing the last is the person's wish; after a stop the next start opens one again.
    hasOpened.current = isRunning && (hasRunning || hasOpened.current);
  }, [isRunning, hasRunning]);
};

const focusTerminal = (id: string): void => document.querySelector<HTMLElement>(`#panel-${CSS.escape(id)} textarea`)?.focus();

/** The terminals of `session`, and what can be done with them. */
export const useTerminals = (session: Session, room: RefObject<HTMLDivElement | null>) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The terminal did not open');
  const { memory, setMemory, remember } = useTabMemory(session.id);
  const all = useStored((state) => terminalsOf(state, session.id));
  const { closed, reopened = [] } = memory;
  const kept = all.filter(({ id }) => !closed.includes(id));
  const earlier = kept.filter((terminal) => isEarlier(terminal, session) && !reopened.includes(terminal.id));
  const opened = kept.filter((terminal) => !earlier.includes(terminal));
  const { active, beside } = placesOf(opened, memory);
  const terminals = inOrder(opened, { active, beside });

  const openAs = useCallback(
    async (placed: (id: string) => Partial<TabMemory>) => {
      if (!room.current) return;
      const terminal = await run(ask('terminals.open', { session_id: session.id, ...measureCells(room.current) }));
      if (terminal) remember(placed(terminal.id));
    },
    [ask, run, session.id, room, remember],
  );
  const open = useCallback(() => openAs((id) => ({ picked: id })), [openAs]);
  useFirstTerminal(
    session,
    all.some(({ status }) => status === 'running'),
    open,
  );

  const close = async (terminal: Terminal) => {
    // It goes back to where it was opened from.
    if (reopened.includes(terminal.id)) return remember({ reopened: reopened.filter((id) => id !== terminal.id) });
    setMemory((known) => ({ ...known, closed: [...known.closed, terminal.id] }));
    if (terminal.status === 'running') await run(ask('terminals.close', { terminal_id: terminal.id }));
  };

  return {
    ...{ terminals, earlier, active, beside, share: memory.share ?? 50, isBusy, open, close },
    /** Opens one more, beside the one in front. */
    split: () => openAs((id) => ({ beside: id, ...(active !== null && { picked: active }) })),
    reopen: (id: string) => remember({ reopened: [...reopened, id], picked: id }),
    /** One in front again; the other keeps its tab. */
    join: () => remember({ beside: null }),
    setShare: (share: number) => remember({ share }),
    pick: (id: string) => (id === beside ? focusTerminal(id) : remember({ picked: id })),
    titleOf: (terminal: Terminal) => memory.titles[terminal.id] ?? terminal.title,
    rename: (id: string, title: string) => setMemory((known) => ({ ...known, titles: { ...known.titles, [id]: title } })),
  };
};
