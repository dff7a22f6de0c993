// Makes rules from what this environment's sandboxes contacted; shown first, taken over when one says so.
import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { useProposal } from '../store/use-proposal.ts';
import { ProposalDialog } from '../ui/ProposalDialog.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { rulesOf } from './policy-edit.ts';

interface ProposeButtonProps {
  environmentId: string;
  before: NetworkPolicy;
  onTake: (rules: NetworkRule[]) => void;
}

const about =
  'The smallest rules that cover what this environment’s sandboxes reached: exact hosts and ports, no wildcard. They take the place of the rules on the page, and are saved when you save.';

/** The button and its dialog. */
export const ProposeButton = ({ environmentId, before, onTake }: ProposeButtonProps) => {
  const { isBusy, run } = useBusy('Nothing could be proposed');
  const { proposal, withBlocked, propose, close } = useProposal(run, { environment_id: environmentId });
  return (
    <>
      <Button variant="default" leftSection={<IconWand size={14} />} loading={isBusy} onClick={() => void propose(false)}>
        Propose from the log
      </Button>
      <ProposalDialog
        {...{ about, before, proposal, withBlocked, isBusy }}
        title="Rules from what was contacted"
        confirm="Use these rules"
        onBlocked={(next) => void propose(next)}
        onClose={close}
        onConfirm={({ policy }) => {
          onTake(rulesOf(policy));
          close();
        }}
      />
    </>
  );
};
