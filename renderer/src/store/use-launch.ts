// Launching, the same from every page: ask, then go to where the session's steps can be seen.
import { useLocation } from 'wouter';
import type { EnvironmentView, ListedFolder, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';

interface Failure {
  message: string;
  next_action: string | null;
}

/** Waits for a call, says why it failed, and answers null then. */
export type Run = <T>(call: Promise<{ ok: true; value: T } | { ok: false; error: Failure }>) => Promise<T | null>;

/** Asks the person whether sessions may have these folders. */
type AskAgreement = (folders: readonly ListedFolder[]) => Promise<boolean>;

/** Starts a session of an environment through `run` and opens its page; folders that wait for agreement are asked about first.
 *  `observe` opens its network; the person was asked. */
export const useLaunch = (run: Run, askAgreement: AskAgreement) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const launch = async (environment_id: string, observe: boolean) => {
    const wish = { environment_id, ...(observe ? { observe } : {}) };
    const reply = await ask('sessions.launch', wish);
    if (reply.ok || reply.error.code !== 'folder_not_agreed') return reply;
    const listed = await ask('environments.folders', { environment_id });
    if (!listed.ok) return listed;
    // Who says no knows why nothing was started.
    if (!(await askAgreement(listed.value.folders))) return { ok: true, value: null } as const;
    const folders = listed.value.folders.map(({ path, use, read_only }) => ({ path, use, read_only }));
    const agreed = await ask('environments.agree_folders', { environment_id, folders });
    return agreed.ok ? await ask('sessions.launch', wish) : agreed;
  };
  return async (environmentId: string, { observe = false } = {}): Promise<void> => {
    const session = await run(launch(environmentId, observe));
    if (session) go(`/sessions/${session.id}`);
  };
};

/** The page on which what keeps an environment from being launched is mended; none where this one's own buttons do it. */
export const placeOfObstacle = ({ id, archived_at, setup_verification, privileged, network_policy }: EnvironmentView) => {
  const at = `/environments/${id}`;
  if (archived_at !== null) return undefined;
  if (!setup_verification.can_start_sessions) return { label: 'Open setup', href: `${at}/setup` };
  if (privileged && Object.keys(network_policy).length > 0) return { label: 'Open privileges', href: `${at}/access` };
  return { label: 'Open runtimes', href: '/runtimes' };
};

/** Why an environment cannot be launched now, as a sentence; null when it can. */
export const launchObstacle = (environment: EnvironmentView, runtimes: readonly RuntimeProbe[]): string | null => {
  if (environment.archived_at !== null) return 'It is archived. Bring it back first.';
  if (!environment.setup_verification.can_start_sessions) return environment.setup_verification.message;
  if (environment.privileged && Object.keys(environment.network_policy).length > 0)
    return 'Privileged environments need unrestricted network. Change one of the two.';
  if (!runtimes.some(({ status }) => status === 'connected')) return 'No container runtime can be used. See Runtimes.';
  const own = runtimes.find(({ id }) => id === environment.runtime);
  if (own?.status === 'connected') return null;
  return `It runs on ${environment.runtime}, which ${own === undefined ? 'is not on this machine' : 'does not answer now'}. See Runtimes.`;
};
