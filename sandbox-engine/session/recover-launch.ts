// What a host that ended in the middle of a launch or of a replacement has left: taken away where nothing ran, put in its place where it did.
import type { ContainerDetails, ContainerRuntime, ContainerSummary } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import { sandboxName } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { createSessionGates } from './session-network.ts';
import type { SessionDeps } from './session-parts.ts';

/** The patch of a session with steps that nobody carries on; null when there are none. Pure. */
export const cutSteps = ({ steps, status }: Pick<Session, 'steps' | 'status'>): Pick<Session, 'steps' | 'message'> | null => {
  const cut = steps.filter((step) => step.status === 'running').map(({ name }) => `"${name}"`);
  if (cut.length === 0) return null;
  const where = cut.length === 1 ? `the step ${cut[0]}` : `the steps ${cut.join(', ')}`;
  const message =
    status === 'starting'
      ? `Sandlot ended while this session was starting, in ${where}. Nothing of it is left: launch it again.`
      : `Sandlot ended while this session was made ready, in ${where}: what belongs to that may be missing. Replace its sandbox, or launch a new session.`;
  return { steps: steps.map((step) => (step.status === 'running' ? { ...step, status: 'failed' as const } : step)), message };
};

/** Whether the container of a session that was starting never ran: then there is nothing in it. Pure. */
export const neverRan = (session: Session, found: ContainerDetails | null): boolean =>
  session.status === 'starting' && (found === null || found.status === 'created');

/** Takes away what a launch had made before its container ran: container, gate, volume. What cannot go now is pruned later. */
export const removeUnborn = async (deps: SessionDeps, session: Session): Promise<void> => {
  const runtime = deps.runtimeOf(session.runtime);
  await runtime.removeContainer(session.container_id ?? sandboxName(session.id));
  await createSessionGates(deps.networks).close({ ...session, network: session.network === 'unrestricted' ? 'unrestricted' : 'gate' });
  await runtime.removeVolume(session.volume);
};

/** Ends a replacement that was cut off: the sandbox that the session says is its own gets the name and goes on, the other one is removed.
 *  `found` are all containers of sessions. */
export const tidyReplaced = async (runtime: ContainerRuntime, session: Session, found: readonly ContainerSummary[]): Promise<void> => {
  if (session.container_id === null || session.status === 'starting') return;
  const mine = found.filter(({ labels }) => labels[labelKeys.role] === 'session' && labels[labelKeys.session] === session.id);
  const own = mine.find(({ id }) => id === session.container_id);
  if (own === undefined) return;
  for (const { id } of mine) if (id !== own.id) await runtime.removeContainer(id);
  if (own.name !== sandboxName(session.id)) await runtime.renameContainer(own.id, sandboxName(session.id));
};
