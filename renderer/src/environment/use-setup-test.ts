// Starting and cancelling setup runs of one environment. A press has one key, so that a call whose answer was lost starts nothing twice.
import { useRef, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { NetworkPolicy, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { notifyFailure } from '../ui/notify.tsx';
import { maxScriptBytes, scriptBytes } from './setup-script-text.ts';

const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Why setup cannot be tested now, as a sentence; null when it can. */
export const testObstacle = (
  { environment, patch, isOutdated }: Editing,
  inFlight: SetupRun | null,
  hasRuntime: boolean,
): string | null => {
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  if (environment.archived_at !== null) return 'The environment is archived. Bring it back first.';
  if (inFlight) return 'A setup run of this environment is under way. Cancel it, or wait until it has ended.';
  if (!setup) return 'There is no setup script to test. Write one first.';
  if (scriptBytes(setup.script) > maxScriptBytes) return 'The script is larger than 64 KiB. Make it smaller first.';
  if (isOutdated) return 'Somebody else saved this environment. Decide below what to do with your edits first.';
  return hasRuntime ? null : 'No container runtime can be used. See Runtimes.';
};

/** Saves what is edited, then starts a run; `onRun` gets the run to show, which on a conflict is the one under way. */
export const useSetupTest = (editing: Editing, onRun: (runId: string) => void) => {
  const ask = useAsk();
  const [isBusy, setBusy] = useState(false);
  const key = useRef<string | null>(null);

  const refuse = (title: string, error: ErrorBody) => {
    const running = error.code === 'setup_run_in_progress' ? error.details['setup_run_id'] : null;
    if (typeof running === 'string') onRun(running);
    notifyFailure(title, error);
  };

  const start = async (observe: boolean) => {
    const saved = await editing.save();
    if (!saved.ok) return notifyFailure('Not saved, so setup was not tested', saved.error);
    key.current ??= newKey();
    const reply = await ask('setup_runs.create', {
      ...{ environment_id: editing.environment.id, idempotency_key: key.current },
      ...(observe ? { observe } : {}),
    });
    if (reply.ok || reply.error.code !== 'host_unreachable') key.current = null;
    if (reply.ok) onRun(reply.value.id);
    else refuse('The setup run did not start', reply.error);
  };

  const press = async (observe: boolean) => {
    if (isBusy) return;
    setBusy(true);
    await start(observe);
    setBusy(false);
  };

  return {
    isBusy,
    test: () => press(false),
    /** The same with an open network, to see what the script reaches. */
    observe: () => press(true),
    /** Saves the policy with what else is edited, then tests under it. */
    enforce: (policy: NetworkPolicy) => {
      editing.edit({ network_policy: policy, privileged: false });
      return press(false);
    },
    cancel: async (runId: string) => {
      const reply = await ask('setup_runs.cancel', { setup_run_id: runId });
      if (!reply.ok) notifyFailure('The setup run was not cancelled', reply.error);
    },
  };
};
