// What brings back a session that is stopped: its sandbox is started again, or, where that was removed outside Sandlot, another one takes its
// workspace. Pure.
import type { Session } from '../../../sandbox-engine/contract/model.ts';

/** How it is brought back; null where it needs not, or cannot be. */
export const wayBack = ({ status, deleted_at, container_id }: Pick<Session, 'status' | 'deleted_at' | 'container_id'>) => {
  if (status !== 'stopped' || deleted_at) return null;
  return container_id === null ? 'replace' : 'resume';
};

/** What to do, as the end of a sentence about what is not seen meanwhile: "Resume it to …". */
export const wayBackWords = (session: Pick<Session, 'status' | 'deleted_at' | 'container_id'>): string =>
  wayBack(session) === 'replace' ? 'Replace its sandbox' : 'Resume it';
