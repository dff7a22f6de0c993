import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { isLive } from '../store/select.ts';
import { counted } from '../ui/format.ts';

/** How many sessions there are; one that is deleted stays in the list while that can be undone, and is no session any more. Pure. */
export const countText = (sessions: readonly Session[], hasMore: boolean): string => {
  const kept = sessions.filter(({ deleted_at }) => !deleted_at);
  const deleted = sessions.length - kept.length;
  const rest = deleted === 0 ? '' : `, ${deleted} deleted`;
  return `${counted(kept.length, 'session')}${hasMore ? ' and more' : ''}, ${kept.filter(isLive).length} running${rest}`;
};
