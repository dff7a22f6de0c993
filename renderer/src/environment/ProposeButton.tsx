// Makes rules from what this environment's sandboxes contacted; shown first, taken over when one says so.
import { Button, Modal, Switch } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import type { NetworkRule, PolicyProposal } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { ruleText } from '../ui/rule-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { rulesOf } from './policy-edit.ts';

interface ProposeButtonProps {
  environmentId: string;
  onTake: (rules: NetworkRule[]) => void;
}

const because: Record<PolicyProposal['left_out'][number]['because'], string> = {
  was_blocked: 'was blocked',
  never_allowed: 'no rule can allow it',
  no_host: 'no host could be read',
};

const leftOutText = ({ host, port, attempts, because: why }: PolicyProposal['left_out'][number]): string =>
  `${host === null ? 'connections without a host' : `${host}${port === null ? '' : `:${port}`}`} · ${attempts.toLocaleString('en-GB')} · ${because[why]}`;

const Proposed = ({ proposal }: { proposal: PolicyProposal }) => {
  const rules = rulesOf(proposal.policy);
  return (
    <>
      {rules.length === 0 && <p className="dim">Nothing was contacted that a rule could allow.</p>}
      <ol className="proposed">
        {rules.map((rule) => (
          <li key={ruleText(rule)} className="mono">
            {ruleText(rule)}
          </li>
        ))}
      </ol>
      {proposal.left_out.length > 0 && (
        <details className="access-fold">
          <summary>Left out: {proposal.left_out.length}</summary>
          <ul>
            {proposal.left_out.map((one) => (
              <li key={`${one.host} ${one.port} ${one.because}`}>{leftOutText(one)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** The button and its dialog. */
export const ProposeButton = ({ environmentId, onTake }: ProposeButtonProps) => {
  const ask = useAsk();
  const [proposal, setProposal] = useState<PolicyProposal | null>(null);
  const [withBlocked, setWithBlocked] = useState(false);
  const { isBusy, run } = useBusy('Nothing could be proposed');
  const propose = async (include_blocked: boolean) => {
    setWithBlocked(include_blocked);
    setProposal(await run(ask('egress.propose', { environment_id: environmentId, include_blocked })));
  };
  const close = () => setProposal(null);
  return (
    <>
      <Button variant="default" leftSection={<IconWand size={14} />} loading={isBusy} onClick={() => void propose(false)}>
        Propose from the log
      </Button>
      <Modal opened={proposal !== null} onClose={close} title="Rules from what was contacted" size="lg">
        {proposal && (
          <div className="stack-tight">
            <div className="dim">
              The smallest rules that cover what this environment’s sandboxes reached: exact hosts and ports, no wildcard. They take the
              place of the rules on the page, and are saved when you save.
            </div>
            <Switch
              label="Cover what was blocked, too"
              checked={withBlocked}
              onChange={(event) => void propose(event.currentTarget.checked)}
            />
            <Proposed proposal={proposal} />
            <div className="row proposed-buttons">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                disabled={rulesOf(proposal.policy).length === 0}
                onClick={() => {
                  onTake(rulesOf(proposal.policy));
                  close();
                }}
              >
                Use these rules
              </Button>
            </div>
          </div>
        )}
      </Modal>
    </>
  );
};
