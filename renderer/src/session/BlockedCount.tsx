import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { outcomeOf } from '../store/egress-outcome.ts';
import { useDestinations } from '../store/use-egress.ts';
import { counted } from '../ui/format.ts';

/** How many destinations a session was last kept from, beside the name of the tab that says which; nothing while there are none. */
export const BlockedCount = ({ session }: { session: Session }) => {
  const { sums } = useDestinations({ session_id: session.id });
  const blocked = (sums?.destinations ?? []).filter(
    ({ last_verdict, last_reason }) => outcomeOf({ verdict: last_verdict, reason: last_reason }) === 'blocked',
  );
  if (blocked.length === 0) return null;
  return (
    <span className="tab-count tone-warn num" title={`${counted(blocked.length, 'destination')} blocked`} aria-hidden="true">
      {blocked.length}
    </span>
  );
};
