// A policy proposed from what was contacted: asked for by a press, and again with what was blocked; gone when it was taken or refused.
import { useState } from 'react';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { PolicyProposal } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';

interface Failure {
  message: string;
  next_action: string | null;
}

type Run = <T>(call: Promise<{ ok: true; value: T } | { ok: false; error: Failure }>) => Promise<T | null>;

/** Asks through `run`, which tells failures. */
export const useProposal = (run: Run, scope: Omit<CallInput<'egress.propose'>, 'include_blocked'>) => {
  const ask = useAsk();
  const [proposal, setProposal] = useState<PolicyProposal | null>(null);
  const [withBlocked, setWithBlocked] = useState(false);
  const propose = async (include_blocked: boolean) => {
    setWithBlocked(include_blocked);
    setProposal(await run(ask('egress.propose', { ...scope, include_blocked })));
  };
  return { proposal, withBlocked, propose, close: () => setProposal(null) };
};
