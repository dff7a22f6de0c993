// Allows one destination: the rule is shown before anything is done, and where it would stand.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { EnvironmentView, GrantTerm, NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { confirm } from '../ui/confirm.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { placeText, ruleText } from '../ui/rule-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { hasVerdictToLose, staleWords } from '../ui/verdict-effect.ts';

interface AllowBoxProps {
  environmentId: string;
  /** The session that tried it, while it lives. */
  sessionId: string | null;
  /** `host:port`. */
  destination: string;
  reason: CallInput<'egress.grant'>['reason'];
  onGranted: () => void;
  /** A dialog of its own opens over it. */
  onAsk?: () => void;
}

type Preview = CallOutput<'egress.grant'>;

const doneText = (destination: string, term: GrantTerm, { applied_to }: Preview): string => {
  if (term === '15m') return `${destination} is allowed for 15 minutes.`;
  if (term === 'session') return `${destination} is allowed as long as this session lives.`;
  const running = applied_to.length > 0 ? ' The running session has it at once.' : ' Sandboxes that start from now on have it.';
  return `${destination} is a rule of the environment now.${running}`;
};

const ForGood = ({ preview, environment }: { preview: Preview; environment: EnvironmentView | undefined }) => (
  <>
    <div>The network policy of {environment === undefined ? 'the environment' : `“${environment.name}”`} gets this rule:</div>
    <code className="mono egress-rule">{ruleText(preview.rule)}</code>
    {preview.network_policy !== null && preview.insert_at !== null && (
      <div className="dim">
        It stands {placeText(withoutRule(preview), preview.insert_at)}.{environment && hasVerdictToLose(environment) && ` ${staleWords}`}
      </div>
    )}
    {preview.warnings.length > 0 && <div className="tone-warn">{preview.warnings.map(({ message }) => message).join(' ')}</div>}
  </>
);

/** The policy as it is before the rule: what stands at the place is what the rule goes before. */
const withoutRule = ({ network_policy, insert_at }: Preview): NetworkPolicy => {
  if (network_policy === null || !('rules' in network_policy)) return {};
  return { version: 'v1', rules: network_policy.rules.filter((_, index) => index !== insert_at) };
};

/** The box. */
export const AllowBox = ({ environmentId, sessionId, destination, reason, onGranted, onAsk }: AllowBoxProps) => {
  const ask = useAsk();
  const environment = useStored((state) => state.environments[environmentId]);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [refusal, setRefusal] = useState<ErrorBody | null>(null);
  const { isBusy, run } = useBusy(`${destination} was not allowed`);
  const owner = sessionId === null ? { environment_id: environmentId } : { session_id: sessionId };
  const asked = { ...owner, destination, ...(reason === undefined ? {} : { reason }) };
  const key = JSON.stringify(asked);
  const policyKey = JSON.stringify(environment?.network_policy);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another policy is another preview
  useEffect(() => {
    let isCurrent = true;
    setPreview(null);
    setRefusal(null);
    const question = { ...(JSON.parse(key) as typeof asked), for: 'always' as const, preview: true };
    void ask('egress.grant', question).then((reply) => {
      if (!isCurrent) return;
      if (reply.ok) setPreview(reply.value);
      else setRefusal(reply.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, key, policyKey]);

  const grant = async (term: GrantTerm) => {
    const seen = environment && { network_policy: environment.network_policy, privileged: environment.privileged };
    const given = await run(ask('egress.grant', { ...asked, for: term, ...(term === 'always' && seen ? { expected_access: seen } : {}) }));
    if (given === null) return;
    notifyDone(doneText(destination, term, given));
    onGranted();
  };

  if (refusal !== null)
    return (
      <p className="egress-refusal">
        {refusal.message} {refusal.next_action}
      </p>
    );
  if (preview === null) return null;
  return (
    <section className="egress-allow" aria-label={`Allow ${destination}`}>
      <div className="egress-allow-title">Allow it with</div>
      <code className="mono egress-rule">{ruleText(preview.rule)}</code>
      <div className="row egress-allow-buttons">
        {sessionId !== null && (
          <Button variant="default" loading={isBusy} onClick={() => void grant('session')}>
            This session
          </Button>
        )}
        <Button variant="default" loading={isBusy} onClick={() => void grant('15m')}>
          15 minutes
        </Button>
        <Button
          variant="default"
          loading={isBusy}
          onClick={() => {
            onAsk?.();
            confirm({
              title: `Allow ${destination} for good?`,
              body: <ForGood preview={preview} environment={environment} />,
              confirm: 'Add the rule',
              onConfirm: () => void grant('always'),
            });
          }}
        >
          For good…
        </Button>
      </div>
    </section>
  );
};
