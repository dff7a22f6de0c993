import './sessions.css';
import { useMemo } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { RowList, type RowPart } from './RowList.tsx';
import { SessionDeeds } from './SessionDeeds.tsx';
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
  onStop: (session: Session) => Promise<unknown>;
  onResume: (session: Session) => Promise<unknown>;
  onDelete: (session: Session) => Promise<unknown>;
  onEnd?: (() => void) | undefined;
}

/** Sessions as a table, on the sessions page and on an environment's. */
export const SessionTable = (props: SessionTableProps) => {
  const { sessions, showsEnvironment = false, usage, away, onUndelete, onStop, onResume, onDelete, onEnd } = props;
  const columns = useMemo(() => {
    const drawDeeds = (session: Session, part: RowPart) => <SessionDeeds {...{ session, part, onStop, onResume, onDelete }} />;
    return sessionColumns({ showsEnvironment, usage, away, onUndelete, drawDeeds });
  }, [showsEnvironment, usage, away, onUndelete, onStop, onResume, onDelete]);
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
