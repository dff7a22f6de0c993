// Whoever needs a running session asks here, so that each refusal says the way back that is true.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';

/** How it is reached again; a clause without a full stop, since it may end in a command. */
export const wayBack = ({ id, status, container_id }: Session): string => {
  if (status !== 'stopped') return 'Launch a new session';
  return container_id === null ? `Replace its sandbox: sandlot session replace ${id}` : `Resume it first: sandlot session resume ${id}`;
};

/** The container of a session that runs; `why` it has to, as a clause: "a command needs a running one". @throws session_not_running */
export const runningContainer = (session: Session, why: string): string => {
  const { status, name, container_id } = session;
  if (status === 'running' && container_id !== null) return container_id;
  throw new SandlotError('session_not_running', `Session "${name}" is ${status}: ${why}.`, { nextAction: wayBack(session) });
};
