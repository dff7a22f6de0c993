// The activity log as a page of this window: what the host has, older pages when asked for, and what is done meanwhile.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { AuditEntry, AuditSubject } from '../../../sandbox-engine/contract/model.ts';
import { useAppStore, useStored } from './store.ts';

const pageSize = 200;

export interface Audit {
  /** Newest first. */
  entries: AuditEntry[];
  isFirstLoad: boolean;
  hasMore: boolean;
  problem: ErrorBody | null;
  /** Reads an older page; may be called too often. */
  loadMore: () => void;
}

interface AuditQuery {
  search: string;
  /** null: whatever it is about. */
  about: AuditSubject | null;
}

const matches = (entry: AuditEntry, { search, about }: AuditQuery): boolean =>
  (about === null || entry.about === about) && entry.text.toLowerCase().includes(search.toLowerCase());

/** Asks for the newest page whenever the query or the connection is new. */
export const useAudit = ({ search, about }: AuditQuery): Audit => {
  const { ask } = useAppStore();
  const added = useStored((state) => state.audit);
  const isConnected = useStored((state) => state.link === 'open' && state.seq !== null);
  const [read, setRead] = useState<{ query: AuditQuery; entries: AuditEntry[]; hasMore: boolean } | null>(null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  const isReading = useRef(false);
  const readPage = useCallback(
    async (before: number | undefined, known: AuditEntry[]) => {
      const reply = await ask('audit.list', {
        limit: pageSize,
        ...(search === '' ? {} : { search }),
        ...(about === null ? {} : { about }),
        ...(before === undefined ? {} : { before }),
      });
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setRead({ query: { search, about }, entries: [...known, ...reply.value.entries], hasMore: reply.value.has_more });
    },
    [ask, search, about],
  );
  useEffect(() => {
    if (isConnected) void readPage(undefined, []);
  }, [isConnected, readPage]);
  const isRead = read !== null && read.query.search === search && read.query.about === about;
  const entries = useMemo(() => {
    const known = isRead ? read.entries : [];
    const newest = known[0]?.seq ?? 0;
    return [...added.filter((entry) => entry.seq > newest && matches(entry, { search, about })), ...known];
  }, [added, read, isRead, search, about]);
  const oldest = entries.at(-1)?.seq;
  const known = read?.entries;
  const loadMore = useCallback(() => {
    if (isReading.current) return;
    isReading.current = true;
    void readPage(oldest, known ?? []).finally(() => {
      isReading.current = false;
    });
  }, [readPage, oldest, known]);
  return {
    entries,
    isFirstLoad: read === null && problem === null,
    hasMore: read?.hasMore === true,
    problem,
    loadMore,
  };
};
