import './sessions.css';
import { useMemo } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { RowList } from './RowList.tsx';
import { type SessionUse, sessionColumns } from './session-columns.tsx';

interface SessionTableProps {
  sessions: readonly Session[];
  showsEnvironment?: boolean;
  /** What those that run use, by their ids. */
  usage: ReadonlyMap<string, SessionUse>;
  /** Runtimes that do not answer. */
  away: ReadonlySet<string>;
  /** Takes the deletion of one back. */
  onUndelete: (session: Session) => void;
  onEnd?: (() => void) | undefined;
}

/** Sessions as a table, on the sessions page and on an environment's. */
export const SessionTable = ({ sessions, showsEnvironment = false, usage, away, onUndelete, onEnd }: SessionTableProps) => {
  const columns = useMemo(() => sessionColumns({ showsEnvironment, usage, away, onUndelete }), [showsEnvironment, usage, away, onUndelete]);
  return (
    <RowList
      label="Sessions"
      layout={showsEnvironment ? 'is-sessions' : 'is-sessions-of-one'}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={columns}
      isTall
      onEnd={onEnd}
    />
  );
};
