// A list that the host gives page by page: what came is kept in the state, here is only how far one has read.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { useStored } from './store.ts';

export interface Pages {
  isFirstLoad: boolean;
  hasMore: boolean;
  problem: ErrorBody | null;
  /** Reads the next page; may be called too often. */
  loadMore: () => void;
}

type Load = (cursor: { cursor?: string }) => Promise<Reply<{ next_cursor: string | null }>>;

/** Reads the first page at once, and anew after each time the host was away. `load` is the same function for as long as it asks the same. */
export const usePages = (load: Load): Pages => {
  const isConnected = useStored((state) => state.link === 'open' && state.seq !== null);
  const [read, setRead] = useState<{ load: Load; next: string | null } | null>(null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  const isBusy = useRef(false);
  const readPage = useCallback(
    async (cursor: { cursor?: string }) => {
      if (isBusy.current) return;
      isBusy.current = true;
      const reply = await load(cursor);
      isBusy.current = false;
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setRead({ load, next: reply.value.next_cursor });
    },
    [load],
  );
  useEffect(() => {
    if (isConnected) void readPage({});
  }, [isConnected, readPage]);
  const next = read?.load === load ? read.next : null;
  const loadMore = useCallback(() => {
    if (next !== null) void readPage({ cursor: next });
  }, [next, readPage]);
  return { isFirstLoad: read === null && problem === null, hasMore: next !== null, problem, loadMore };
};
