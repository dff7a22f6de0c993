// A session whose network is observed: that it is open, how to end that, and the rules that what it reached would need.
import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import type { EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useEditing } from '../store/actions.ts';
import { isLive } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useProposal } from '../store/use-proposal.ts';
import { Banner } from '../ui/Banner.tsx';
import { notifyDone, notifyFailure } from '../ui/notify.tsx';
import { ProposalDialog } from '../ui/ProposalDialog.tsx';
import { useBusy } from '../ui/use-busy.ts';

const about =
  'The smallest rules that cover what this session contacted: exact hosts and ports, no wildcard. They take the place of the environment’s rules, and hold for sandboxes that start from then on.';

/** Makes rules of what a session reached, and saves them as the policy of its environment. */
const ProposeFromSession = ({ session, environment }: { session: Session; environment: EnvironmentView }) => {
  const { isBusy, run } = useBusy('Nothing could be proposed');
  const { edit, save } = useEditing(environment);
  const { proposal, withBlocked, propose, close } = useProposal(run, { session_id: session.id });
  const saveRules = async (policy: NonNullable<typeof proposal>['policy']) => {
    edit({ network_policy: policy, privileged: false });
    const reply = await save();
    close();
    if (reply.ok) notifyDone(`The rules are saved as revision ${reply.value.revision} of ${reply.value.name}.`);
    else notifyFailure('The rules were not saved', reply.error);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconWand size={14} />} loading={isBusy} onClick={() => void propose(false)}>
        Propose rules
      </Button>
      <ProposalDialog
        {...{ about, proposal, withBlocked, isBusy }}
        title="Rules from this session"
        confirm="Save as the policy"
        onBlocked={(next) => void propose(next)}
        onClose={close}
        onConfirm={({ policy }) => void saveRules(policy)}
      />
    </>
  );
};

const EndButton = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The observation did not end');
  const end = async () => {
    if (await run(ask('sessions.end_observation', { session_id: session.id })))
      notifyDone('The rules decide again; what they do not allow was cut.');
  };
  return (
    <Button variant="default" loading={isBusy} onClick={() => void end()}>
      End observation
    </Button>
  );
};

/** The banner; nothing for a session that is not observed. */
export const ObservedSession = ({ session }: { session: Session }) => {
  const environment = useStored((state) => state.environments[session.environment_id]);
  if (!session.observed) return null;
  return (
    <Banner
      isBar
      tone="warn"
      title="This session is observed: everything public passes"
      next="Each destination is written down. Make rules of it, then end the observation."
      actions={
        <div className="row">
          {environment && <ProposeFromSession session={session} environment={environment} />}
          {isLive(session) && <EndButton session={session} />}
        </div>
      }
    />
  );
};
