import { Button } from '@mantine/core';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** The button that takes a grant back; what it opened is closed within a second. */
export const TakeBack = ({ grant }: { grant: EgressGrant }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy(`The grant of ${grant.destination} was not taken back`);
  const revoke = async () => {
    if (await run(ask('egress.revoke', { grant_id: grant.id }))) notifyDone(`${grant.destination} is no longer granted.`);
  };
  return (
    <Button size="compact-xs" variant="subtle" color="gray" loading={isBusy} onClick={() => void revoke()}>
      Take back<span className="visually-hidden"> the grant of {grant.destination}</span>
    </Button>
  );
};
