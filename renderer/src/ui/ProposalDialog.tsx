// A policy made from what was contacted, shown before it is taken: its rules in their order, what it leaves out, what is risky about it.
import './proposal.css';
import { Button, Modal, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NetworkPolicy, NetworkRule, PolicyProposal } from '../../../sandbox-engine/contract/model.ts';
import { formatCount } from './format.ts';
import { ruleText, warningTexts } from './rule-text.ts';

interface ProposalDialogProps {
  title: string;
  /** What pressing the button does. */
  about: string;
  /** Whose rules they take the place of. */
  before: NetworkPolicy;
  /** null: closed. */
  proposal: PolicyProposal | null;
  withBlocked: boolean;
  onBlocked: (withBlocked: boolean) => void;
  /** What it would change for the past. */
  preview?: ReactNode;
  confirm: string;
  isBusy: boolean;
  onConfirm: (proposal: PolicyProposal) => void;
  onClose: () => void;
}

const because: Record<PolicyProposal['left_out'][number]['because'], string> = {
  was_blocked: 'was blocked',
  never_allowed: 'no rule can allow it',
  not_found: 'was not found',
  not_reached: 'could not be reached',
  no_host: 'no host could be read',
};

const leftOutText = ({ host, port, attempts, because: why }: PolicyProposal['left_out'][number]): string =>
  `${host === null ? 'connections without a host' : `${host}${port === null ? '' : `:${port}`}`} · ${formatCount(attempts)} · ${because[why]}`;

const rulesOf = (policy: NetworkPolicy): readonly NetworkRule[] => ('rules' in policy ? policy.rules : []);

/** Rules that are there now and would not be: nobody is to lose one unseen. */
const Lost = ({ before, rules }: { before: NetworkPolicy; rules: readonly NetworkRule[] }) => {
  const stay = new Set(rules.map(ruleText));
  const lost = rulesOf(before)
    .map(ruleText)
    .filter((text) => !stay.has(text));
  if (lost.length === 0) return null;
  return (
    <div>
      <strong>{lost.length === 1 ? 'This rule goes' : 'These rules go'}</strong>
      <ul className="proposal-rules" aria-label="Rules that go">
        {lost.map((text) => (
          <li key={text} className="mono tone-warn">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
};

const Rules = ({ proposal, before }: { proposal: PolicyProposal; before: NetworkPolicy }) => {
  const { warnings, left_out } = proposal;
  const rules = rulesOf(proposal.policy);
  const messages = warningTexts(warnings, rules);
  return (
    <>
      {rules.length === 0 && <p className="dim proposal-none">Nothing was contacted that a rule could allow.</p>}
      <ol className="proposal-rules" aria-label="Proposed rules">
        {rules.map((rule) => (
          <li key={ruleText(rule)} className="mono">
            {ruleText(rule)}
          </li>
        ))}
      </ol>
      {rules.length > 0 && <Lost before={before} rules={rules} />}
      {messages.length > 0 && (
        <div className="tone-warn proposal-warnings">
          {messages.map((message) => (
            <div key={message}>{message}</div>
          ))}
        </div>
      )}
      {left_out.length > 0 && (
        <details className="proposal-left" open={rules.length === 0}>
          <summary>No rule is made for: {left_out.length}</summary>
          <ul>
            {left_out.map((one) => (
              <li key={`${one.host} ${one.port} ${one.because}`}>{leftOutText(one)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** The dialog. */
export const ProposalDialog = (props: ProposalDialogProps) => {
  const { title, about, before, proposal, withBlocked, onBlocked, preview, confirm, isBusy, onConfirm, onClose } = props;
  const isNothing = proposal === null || rulesOf(proposal.policy).length === 0;
  return (
    <Modal opened={proposal !== null} onClose={onClose} title={title} size="lg">
      {proposal && (
        <div className="stack-tight">
          <div className="dim">{about}</div>
          <Switch label="Cover what was blocked, too" checked={withBlocked} onChange={(event) => onBlocked(event.currentTarget.checked)} />
          <Rules proposal={proposal} before={before} />
          {!isNothing && preview}
          <div className="row proposal-buttons">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={isNothing} loading={isBusy} onClick={() => onConfirm(proposal)}>
              {confirm}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
};
