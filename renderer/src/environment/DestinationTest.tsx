// Asks what the policy on the page says about one destination. Nothing is contacted.
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Explanation, NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { reasonWord } from '../ui/egress-outcome.ts';
import { Panel } from '../ui/Panel.tsx';
import { ruleText } from '../ui/rule-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { decideAlike } from './policy-edit.ts';

interface DestinationTestProps {
  environmentId: string;
  policy: NetworkPolicy;
  /** Something is wrong in the policy. */
  isUnsound: boolean;
  /** Puts the rule that would allow it where it decides. */
  onAdd: (rule: NetworkRule, at: number) => void;
}

const Answer = ({ answer, onAdd }: { answer: Explanation; onAdd: DestinationTestProps['onAdd'] }) => {
  const { verdict, sentence, reason, how_to_allow: rule, insert_at: at, instead } = answer;
  const place = useRef<HTMLDivElement>(null);
  // In a low window the box ends where the page does, and the answer would be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is to be seen
  useEffect(() => void place.current?.scrollIntoView?.({ block: 'nearest' }), [answer]);
  return (
    <div className="test-answer" role="status" ref={place}>
      <div className="row">
        <EgressVerdict verdict={verdict} reason={reason} />
        <span className="dim" title={reason}>
          {reasonWord(reason)}
        </span>
      </div>
      <div className="test-sentence">{sentence}</div>
      {instead && <div className="dim">{instead}</div>}
      {rule !== null && at !== null && (
        <div className="row">
          <code className="mono grow">{ruleText(rule)}</code>
          <Button variant="default" onClick={() => onAdd(rule, at)}>
            Add rule
          </Button>
        </div>
      )}
    </div>
  );
};

/** The box. */
export const DestinationTest = ({ environmentId, policy, isUnsound, onAdd }: DestinationTestProps) => {
  const ask = useAsk();
  const [text, setText] = useState('');
  const [answer, setAnswer] = useState<{ policy: NetworkPolicy; explanation: Explanation } | null>(null);
  const { isBusy, run } = useBusy('The destination was not tested');
  const test = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isUnsound) return;
    const explanation = await run(ask('egress.test', { environment_id: environmentId, destination: text.trim(), network_policy: policy }));
    if (explanation) setAnswer({ policy, explanation });
  };
  return (
    <Panel title="Test a destination">
      <p className="test-about dim">What the rules on this page say about it. Nothing is contacted.</p>
      <form className="row" onSubmit={(event) => void test(event)}>
        <TextInput
          className="grow"
          aria-label="URL or host:port"
          placeholder="https://api.example.com"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={isUnsound}>
          Test
        </Button>
      </form>
      {isUnsound && (
        <div className="tone-warn test-unsound">Mend the rules first: they cannot decide while something is wrong in them.</div>
      )}
      {answer && !isUnsound && (
        <>
          <Answer answer={answer.explanation} onAdd={onAdd} />
          {!decideAlike(answer.policy, policy) && <div className="faint">The policy was changed since. Test again.</div>}
        </>
      )}
    </Panel>
  );
};
