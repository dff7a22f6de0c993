// What can be done on the page that is shown, for the command palette: each page says it while it is there.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';

/** Something that can be done, or a part that can be gone to. */
export interface PageDeed {
  label: string;
  /** It leads to a part of the page. */
  isPart?: boolean;
  run: () => void;
}

interface Board {
  deeds: readonly PageDeed[];
  /** The returned function takes them away again. */
  put: (deeds: readonly PageDeed[]) => () => void;
}

const BoardContext = createContext<Board | null>(null);

/** Keeps what the pages below it say. */
export const PageDeedsProvider = ({ children }: { children: ReactNode }) => {
  const [lists, setLists] = useState<readonly (readonly PageDeed[])[]>([]);
  const board = useMemo(
    (): Board => ({
      deeds: lists.flat(),
      put: (deeds) => {
        setLists((known) => [...known, deeds]);
        return () => setLists((known) => known.filter((one) => one !== deeds));
      },
    }),
    [lists],
  );
  return <BoardContext value={board}>{children}</BoardContext>;
};

/** What the page that is shown has said. */
export const useDeedsOfPage = (): readonly PageDeed[] => useContext(BoardContext)?.deeds ?? [];

/** Says what can be done here for as long as this is drawn; those that cannot be done now are left out by `false`. */
export const usePageDeeds = (deeds: readonly (PageDeed | false)[]): void => {
  const board = useContext(BoardContext);
  const put = useRef(board?.put);
  put.current = board?.put;
  const possible = deeds.filter((deed) => deed !== false);
  const latest = useRef(possible);
  latest.current = possible;
  const labels = possible.map(({ label, isPart }) => `${isPart ? '>' : ' '}${label}`).join('\n');
  useEffect(() => {
    const named = labels === '' ? [] : labels.split('\n');
    return put.current?.(
      named.map((said, index) => ({ label: said.slice(1), isPart: said.startsWith('>'), run: () => latest.current[index]?.run() })),
    );
  }, [labels]);
};
