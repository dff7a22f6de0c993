// One folder of a session as it was when last looked at.
import { useCallback, useEffect, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { FileEntry, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';

interface Listing {
  path: string;
  entries: FileEntry[];
  total: number;
}

/** The listing of the folder; of the artifacts when the path is null. */
export const useFolder = ({ id, status }: Session, path: string | null) => {
  const ask = useAsk();
  const [listing, setListing] = useState<Listing | null>(null);
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    // Each round is another look.
    void round;
    if (status !== 'running') return undefined;
    let isCurrent = true;
    const look = async () => {
      if (path !== null) return await ask('files.list', { session_id: id, path });
      const reply = await ask('artifacts.list', { session_id: id });
      if (!reply.ok) return reply;
      const { artifacts: entries, ...rest } = reply.value;
      return { ok: true, value: { ...rest, entries } } as const;
    };
    void look().then((reply) => {
      if (!isCurrent) return;
      setFailure(reply.ok ? null : reply.error);
      if (reply.ok) setListing(reply.value);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, id, status, path, round]);
  const refresh = useCallback(() => setRound((count) => count + 1), []);
  return { listing, failure, refresh };
};
