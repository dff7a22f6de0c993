// The list of secrets, kept by the host's events once it was asked for. It holds no values: the host gives none.
import { useCallback, useEffect, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { SecretList } from '../../../sandbox-engine/contract/model.ts';
import { useAppStore, useStored } from './store.ts';

export interface Secrets {
  /** null until the host has answered. */
  list: SecretList | null;
  /** Why they cannot be read. */
  problem: ErrorBody | null;
  lookAgain: () => Promise<void>;
}

/** Asks for the list, and again after each time the host was away. */
export const useSecrets = (): Secrets => {
  const { ask } = useAppStore();
  const list = useStored((state) => state.secrets);
  const isConnected = useStored((state) => state.link === 'open' && state.seq !== null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  const lookAgain = useCallback(async () => {
    const reply = await ask('secrets.list', {});
    setProblem(reply.ok ? null : reply.error);
  }, [ask]);
  useEffect(() => {
    if (isConnected) void lookAgain();
  }, [isConnected, lookAgain]);
  return { list, problem, lookAgain };
};
