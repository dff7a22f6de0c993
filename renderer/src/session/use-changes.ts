// The changes of a session as they were when last asked for, and the patch of the file that is looked at.
import { useCallback, useEffect, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { ChangedFile, Changes, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';

export interface ChangesNow {
  changes: Changes | null;
  failure: ErrorBody | null;
  isBusy: boolean;
  refresh: () => void;
}

/** The list; asked for anew when the session runs again, and on `refresh`. */
export const useChanges = ({ id, status, workspace_start }: Session): ChangesNow => {
  const ask = useAsk();
  const [now, setNow] = useState<Pick<ChangesNow, 'changes' | 'failure'>>({ changes: null, failure: null });
  const [isBusy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const isThere = status === 'running' && workspace_start !== undefined;
  useEffect(() => {
    // Each round is another question.
    void round;
    if (!isThere) return undefined;
    let isCurrent = true;
    setBusy(true);
    void ask('sessions.diff', { session_id: id }).then((reply) => {
      if (!isCurrent) return;
      setBusy(false);
      setNow(reply.ok ? { changes: reply.value, failure: null } : { changes: null, failure: reply.error });
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, id, isThere, round]);
  const refresh = useCallback(() => setRound((count) => count + 1), []);
  return { ...now, isBusy, refresh };
};

/** The patch of one file; null while it is on its way. `of`: the list that it belongs to, so that a new one asks again. */
export const usePatch = (sessionId: string, file: ChangedFile | null, of: Changes | null) => {
  const ask = useAsk();
  const [patch, setPatch] = useState<{ of: Changes | null; path: string; text: string; isWhole: boolean } | null>(null);
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  useEffect(() => {
    if (file === null || file.kind !== 'file') return undefined;
    let isCurrent = true;
    const files = file.old_path === null ? [file.path] : [file.path, file.old_path];
    void ask('sessions.diff', { session_id: sessionId, files, patch: true }).then((reply) => {
      if (!isCurrent) return;
      setFailure(reply.ok ? null : reply.error);
      if (reply.ok) setPatch({ of, path: file.path, text: reply.value.patch ?? '', isWhole: reply.value.is_patch_whole });
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, sessionId, file, of]);
  return { patch: patch !== null && patch.path === file?.path && patch.of === of ? patch : null, failure };
};
