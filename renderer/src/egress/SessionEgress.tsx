// What one session tries to reach: the monitor inside its page.
import { IconNetwork } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Empty } from '../ui/Empty.tsx';
import { EgressView } from './EgressView.tsx';

const Teaching = ({ session }: { session: Session }) => {
  const policy = (
    <Link href={`/environments/${session.environment_id}/network`} className="link">
      the policy of {session.environment_name}
    </Link>
  );
  if (session.network === 'unrestricted')
    return (
      <Empty icon={<IconNetwork size={20} />} title="This session has unrestricted access">
        It goes straight to the network, past the policy, so nothing is seen of it. Give its environment rules in {policy} and launch a new
        session to see, and decide, where it goes.
      </Empty>
    );
  if (session.network === 'none')
    return (
      <Empty icon={<IconNetwork size={20} />} title="This session has no network, and nobody sees what it tries">
        Nothing is allowed by {policy}. What such a session tries is seen where there is a gate, the small container that stands between
        sandboxes and the network; {session.runtime} had none yet when this one started. One is made with the first sandbox that has a rule.
      </Empty>
    );
  return (
    <Empty icon={<IconNetwork size={20} />} title="This session has not tried to reach anything">
      Whatever it reaches for is written down here at once: where, whether {policy} allowed it, and why. What is blocked can be allowed from
      here: for this session, for 15 minutes, or for good.
    </Empty>
  );
};

/** The tab. */
export const SessionEgress = ({ session }: { session: Session }) => (
  <EgressView scope={{ session_id: session.id }} environmentId={session.environment_id} empty={<Teaching session={session} />} />
);
