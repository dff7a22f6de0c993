import './egress.css';
import { IconBan, IconCircleCheck, IconUnlink } from '@tabler/icons-react';
import type { EgressReason, EgressVerdict as Verdict } from '../../../sandbox-engine/contract/model.ts';
import { outcomeOf, outcomeWord } from './egress-outcome.ts';

const looks = {
  allowed: { tone: 'tone-ok', Icon: IconCircleCheck },
  blocked: { tone: 'tone-bad', Icon: IconBan },
  failed: { tone: 'tone-warn', Icon: IconUnlink },
} as const;

interface EgressVerdictProps {
  verdict: Verdict;
  /** Why: what failed beyond the policy is called that. */
  reason?: EgressReason;
}

/** Allowed, blocked, not found or not reached, as a shape and a word: nobody has to tell colours apart. */
export const EgressVerdict = ({ verdict, reason = verdict === 'allowed' ? 'allowed' : 'no_rule' }: EgressVerdictProps) => {
  const { tone, Icon } = looks[outcomeOf({ verdict, reason })];
  return (
    <span className={`egress-verdict ${tone}`}>
      <Icon size={14} stroke={1.9} aria-hidden="true" />
      {outcomeWord({ verdict, reason })}
    </span>
  );
};
