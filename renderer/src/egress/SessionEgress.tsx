// What one session tries to reach: the monitor inside its page.
import { Button } from '@mantine/core';
import { IconNetwork, IconReplace } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Empty } from '../ui/Empty.tsx';
import { EgressView } from './EgressView.tsx';

interface SessionEgressProps {
  session: Session;
  /** Asks for another sandbox. */
  onReplace: () => void;
}

const Teaching = ({ session, onReplace }: SessionEgressProps) => {
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
      <Empty
        icon={<IconNetwork size={20} />}
        title="This session has no network, and nobody sees what it tries"
        actions={
          <Button variant="default" leftSection={<IconReplace size={14} />} onClick={onReplace}>
            Replace sandbox
          </Button>
        }
      >
        Nothing is allowed by {policy}. What such a session tries is seen where there is a gate, the small container that stands between
        sandboxes and the network; {session.runtime} had none yet when this one started. A new sandbox of this session gets one, and the
        workspace stays.
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
export const SessionEgress = ({ session, onReplace }: SessionEgressProps) => (
  <EgressView
    scope={{ session_id: session.id }}
    environmentId={session.environment_id}
    empty={<Teaching session={session} onReplace={onReplace} />}
  />
);
