// A session whose network is observed: that it is open, how to end that, and the rules that what it reached would need.
import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import type { EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
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
  const ask = useAsk();
  const { proposal, withBlocked, propose, close } = useProposal(run, { session_id: session.id });
  const saveRules = async (policy: NonNullable<typeof proposal>['policy']) => {
    const { network_policy, privileged, revision } = environment;
    const seen = { expected_access: { network_policy, privileged }, revision };
    // Only the rules: what else is edited on the page of the environment stays an edit.
    const patch = { network_policy: policy, ...(privileged ? { privileged: false } : {}), ...seen };
    const reply = await ask('environments.update', { environment_id: environment.id, patch });
    close();
    if (reply.ok)
      notifyDone(`The rules are saved as revision ${reply.value.revision} of ${reply.value.name}.`, {
        label: 'Show them',
        href: `/environments/${reply.value.id}/network`,
      });
    else notifyFailure('The rules were not saved', reply.error);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconWand size={14} />} loading={isBusy} onClick={() => void propose(false)}>
        Propose rules
      </Button>
      <ProposalDialog
        {...{ about, proposal, withBlocked, isBusy }}
        before={environment.network_policy}
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
  const isOn = isLive(session);
  return (
    <Banner
      isBar
      tone="warn"
      title={isOn ? 'This session is observed: everything public passes' : 'This session was observed'}
      next={
        isOn
          ? 'Each destination is written down on the Network tab. Make rules of it, then end the observation.'
          : 'What it reached is on the Network tab. Rules can still be made of it.'
      }
      actions={
        <div className="row">
          {environment && <ProposeFromSession session={session} environment={environment} />}
          {isOn && <EndButton session={session} />}
        </div>
      }
    />
  );
};
