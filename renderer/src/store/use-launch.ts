// Launching, the same from every page: ask, then go to where the session's steps can be seen.
import { useLocation } from 'wouter';
import type { EnvironmentView, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';

interface Failure {
  message: string;
  next_action: string | null;
}

type Run = <T>(call: Promise<{ ok: true; value: T } | { ok: false; error: Failure }>) => Promise<T | null>;

/** Starts a session of an environment through `run` and opens its page. */
export const useLaunch = (run: Run): ((environmentId: string) => Promise<void>) => {
  const ask = useAsk();
  const [, go] = useLocation();
  return async (environmentId) => {
    const session = await run(ask('sessions.launch', { environment_id: environmentId }));
    if (session) go(`/sessions/${session.id}`);
  };
};

/** Why an environment cannot be launched now, as a sentence; null when it can. */
export const launchObstacle = (environment: EnvironmentView, runtimes: readonly RuntimeProbe[]): string | null => {
  if (environment.archived_at !== null) return 'It is archived. Bring it back first.';
  if (!environment.setup_verification.can_start_sessions) return environment.setup_verification.message;
  if (environment.privileged && Object.keys(environment.network_policy).length > 0)
    return 'Privileged environments need unrestricted network. Change one of the two.';
  const isConnected = runtimes.some((runtime) => runtime.status === 'connected');
  return isConnected ? null : 'No container runtime can be used. See Runtimes.';
};
