// A session whose launch failed: why, what to do about it, and the two ways on.
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { Banner } from '../ui/Banner.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** The banner. */
export const FailedBanner = ({ session: { environment_id: id, message } }: { session: Session }) => {
  const isKnown = useStored((state) => id in state.environments);
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  return (
    <Banner
      isBar
      tone="bad"
      title={message ?? 'The launch of this session failed'}
      next={isKnown ? undefined : 'Its environment is deleted.'}
      actions={
        isKnown && (
          <>
            <Button variant="default" component={Link} href={`/environments/${id}`}>
              Open environment
            </Button>
            <Button variant="default" loading={isBusy} onClick={() => void launch(id)}>
              Launch again
            </Button>
          </>
        )
      }
    />
  );
};
