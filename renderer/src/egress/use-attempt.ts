// What the window knows around an attempt: who made it, whether that session lives, and what was granted since.
import type { EgressGrant, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { isLive } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useNow } from '../ui/use-now.ts';
import { destinationText, grantFor, hasRule } from './egress-words.ts';

/** The session that a grant can be for: the one that tried it, while it lives. */
export const useLiveSession = (id: string | null): string | null =>
  useStored((state) => {
    const session = id === null ? undefined : state.sessions[id];
    return session && isLive(session) ? session.id : null;
  });

/** The names of the environment, the session and the terminal that it came from, where they are known. */
export const useOrigin = ({ environment_id, session_id, cause }: Pick<LoggedAttempt, 'environment_id' | 'session_id' | 'cause'>) => {
  const environment = useStored((state) => state.environments[environment_id]?.name);
  const session = useStored((state) => (session_id === null ? undefined : state.sessions[session_id]?.name));
  const terminal = useStored((state) => (cause?.kind === 'terminal' ? state.terminals[cause.terminal_id]?.title : undefined));
  return { environment, session, terminal };
};

type Tried = Pick<LoggedAttempt, 'host' | 'port' | 'environment_id' | 'session_id'>;

/** Whether a rule that the environment has by now would let it pass; a session that lives keeps the rules that it began with. */
export const useIsRuled = ({ host, port, environment_id, session_id }: Tried): boolean => {
  const live = useLiveSession(session_id);
  const policy = useStored((state) => state.environments[environment_id]?.network_policy);
  return live === null && host !== null && port !== null && hasRule(policy, { hosts: [host], ports: [port] });
};

/** What was granted since and lets it pass now: under the environment that the session has by now, where there is one. */
export const useGrantFor = (grants: readonly EgressGrant[], tried: Tried): EgressGrant | undefined => {
  const nowMs = useNow(10_000);
  const moved = useStored((state) => (tried.session_id === null ? undefined : state.sessions[tried.session_id]?.environment_id));
  const environmentId = moved ?? tried.environment_id;
  const policy = useStored((state) => state.environments[environmentId]?.network_policy);
  const of = { destination: destinationText(tried), environmentId, sessionId: tried.session_id };
  return grantFor(grants, of, { nowMs, policy });
};
