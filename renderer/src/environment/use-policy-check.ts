// What the host says about a policy while it is edited: problems, warnings, what it would change for what was tried before.
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { NetworkPolicy, PolicyReplay } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';

export type PolicyCheck = CallOutput<'egress.check'>;

const clean: PolicyCheck = { policy: null, errors: [], warnings: [] };
const waitMs = 200;

/** The newest check of the policy; `isCurrent` while it is about the policy as it stands. */
export const usePolicyCheck = (environmentId: string, policy: NetworkPolicy): { check: PolicyCheck; isCurrent: boolean } => {
  const ask = useAsk();
  const text = JSON.stringify(policy);
  const [wanted] = useDebouncedValue(text, waitMs);
  const [answer, setAnswer] = useState({ text: '', check: clean });
  useEffect(() => {
    let isNewest = true;
    void ask('egress.check', { environment_id: environmentId, network_policy: JSON.parse(wanted) as unknown }).then((reply) => {
      if (isNewest && reply.ok) setAnswer({ text: wanted, check: reply.value });
    });
    return () => {
      isNewest = false;
    };
  }, [ask, environmentId, wanted]);
  return { check: answer.check, isCurrent: answer.text === text };
};

/** What the policy would have said about the past; null while it is not known. */
export const useReplay = (environmentId: string, policy: NetworkPolicy | null): PolicyReplay | null => {
  const ask = useAsk();
  const [replay, setReplay] = useState<PolicyReplay | null>(null);
  const text = policy === null ? null : JSON.stringify(policy);
  useEffect(() => {
    if (text === null) return setReplay(null);
    let isNewest = true;
    void ask('egress.replay', { environment_id: environmentId, network_policy: JSON.parse(text) as unknown }).then((reply) => {
      if (isNewest) setReplay(reply.ok ? reply.value : null);
    });
    return () => {
      isNewest = false;
    };
  }, [ask, environmentId, text]);
  return replay;
};

/** Everything the policy opens; null until it is known, and while it cannot be. Asked again when `news` is another. */
export const useAccess = (environmentId: string, policy: NetworkPolicy | null, news: string) => {
  const ask = useAsk();
  const [access, setAccess] = useState<CallOutput<'egress.access'> | null>(null);
  const text = policy === null ? null : JSON.stringify(policy);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved revision may have other presets, and what is tried is seen in it
  useEffect(() => {
    if (text === null) return;
    let isNewest = true;
    void ask('egress.access', { environment_id: environmentId, network_policy: JSON.parse(text) as unknown }).then((reply) => {
      if (isNewest && reply.ok) setAccess(reply.value);
    });
    return () => {
      isNewest = false;
    };
  }, [ask, environmentId, text, news]);
  return access;
};
