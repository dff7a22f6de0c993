import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { stillBlocked } from '../store/egress-outcome.ts';
import { useDestinations } from '../store/use-egress.ts';
import { counted } from '../ui/format.ts';

/** How many destinations a session was last kept from, beside the name of the tab that says which; nothing while there are none. */
export const BlockedCount = ({ session }: { session: Session }) => {
  const { sums } = useDestinations({ session_id: session.id });
  const blocked = sums === null ? [] : stillBlocked(sums);
  if (blocked.length === 0) return null;
  return (
    <span
      className="tab-count tone-warn num"
      title={`${counted(blocked.length, 'destination')} blocked when last tried`}
      aria-hidden="true"
    >
      {blocked.length}
    </span>
  );
};
