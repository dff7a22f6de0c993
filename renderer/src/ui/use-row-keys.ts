// Moves between the rows of a windowed list by keyboard: one row takes the focus, arrows go on from it, the list scrolls along.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

const stepOf = (key: string, page: number): ((at: number, last: number) => number) | null => {
  if (key === 'ArrowDown') return (at) => at + 1;
  if (key === 'ArrowUp') return (at) => at - 1;
  if (key === 'PageDown') return (at) => at + page;
  if (key === 'PageUp') return (at) => at - page;
  if (key === 'Home') return () => 0;
  return key === 'End' ? (_at, last) => last : null;
};

interface RowKeys {
  /** The row that Tab comes to. */
  at: number;
  setAt: (index: number) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** `scrollTo` brings a row into the window; what takes the focus in it has `data-row` with its index. */
export const useRowKeys = (scroller: RefObject<HTMLElement | null>, count: number, scrollTo: (index: number) => void): RowKeys => {
  const [at, setAt] = useState(0);
  const wanted = useRef<number | null>(null);
  const now = Math.min(at, Math.max(0, count - 1));
  useEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  return {
    at: now,
    setAt,
    onKeyDown: (event) => {
      const step = stepOf(event.key, 10);
      if (step === null || !(event.target as HTMLElement).hasAttribute('data-row')) return;
      event.preventDefault();
      const next = Math.min(count - 1, Math.max(0, step(now, count - 1)));
      wanted.current = next;
      setAt(next);
      scrollTo(next);
    },
  };
};
