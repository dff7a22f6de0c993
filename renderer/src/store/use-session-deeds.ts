// What can be done with a session from its row, the same in every list.
import { useCallback, useMemo } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import type { Run } from './use-launch.ts';

/** How long a deletion can be taken back, and who tells the person that. */
export interface Deletion {
  undoSeconds: number;
  tell: (session: Session, undo: () => void) => void;
  /** Tells that it was, and how the session came back. */
  tellBack: (session: Session) => void;
}

interface SessionDeeds {
  onStop: (session: Session) => Promise<CallOutput<'sessions.stop'> | null>;
  onResume: (session: Session) => Promise<CallOutput<'sessions.resume'> | null>;
  onDelete: (session: Session) => Promise<void>;
  onUndelete: (session: Session) => void;
}

/** Keep `run` and `deletion` the same: then the rows stay as they are. */
export const useSessionDeeds = (run: Run, deletion: Deletion): SessionDeeds => {
  const ask = useAsk();
  const onUndelete = useCallback(
    (session: Session) =>
      void run(ask('sessions.undelete', { session_id: session.id })).then((back) => back !== null && deletion.tellBack(back)),
    [ask, run, deletion],
  );
  return useMemo(
    () => ({
      onUndelete,
      onStop: (session) => run(ask('sessions.stop', { session_id: session.id })),
      onResume: (session) => run(ask('sessions.resume', { session_id: session.id })),
      onDelete: async (session) => {
        const done = await run(ask('sessions.delete', { session_id: session.id, undo_seconds: deletion.undoSeconds }));
        if (done !== null) deletion.tell(session, () => onUndelete(session));
      },
    }),
    [ask, run, onUndelete, deletion],
  );
};
