// What a host that ended in the middle of a launch or of a replacement has left: taken away where nothing ran, put in its place where it did.
import type { ContainerDetails, ContainerRuntime, ContainerSummary } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import { sandboxName } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { createSessionGates } from './session-network.ts';
import type { SessionDeps } from './session-parts.ts';

/** Steps that make a sandbox: one that ran already was being replaced. */
const making = new Set(['image', 'gate', 'create', 'start', 'secrets']);

const wordsOf = (status: Session['status'], where: string, isReplaced: boolean): string => {
  if (status === 'starting') return `Sandlot ended while this session was starting, in ${where}. Nothing of it is left: launch it again.`;
  if (isReplaced) return `Sandlot ended while the sandbox of this session was being replaced, in ${where}: the one that it had goes on.`;
  return `Sandlot ended while this session was made ready, in ${where}: what belongs to that may be missing. Replace its sandbox, or launch a new session.`;
};

/** The patch of a session with steps that nobody carries on; null when there are none. `ranBefore`: its sandbox was there before them. Pure. */
export const cutSteps = (
  { steps, status }: Pick<Session, 'steps' | 'status'>,
  ranBefore = false,
): Pick<Session, 'steps' | 'message'> | null => {
  const cut = steps.filter((step) => step.status === 'running').map(({ name }) => name);
  if (cut.length === 0) return null;
  const named = cut.map((name) => `"${name}"`);
  const where = named.length === 1 ? `the step ${named[0]}` : `the steps ${named.join(', ')}`;
  const message = wordsOf(status, where, ranBefore && cut.every((name) => making.has(name)));
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

/** Ends a replacement that was cut off: the sandbox that the session says is its own gets the name and goes on, the other one is removed,
 *  and so is a gate that nobody stands behind. `found` are all containers of this data folder. */
export const tidyReplaced = async (
  deps: SessionDeps,
  runtime: ContainerRuntime,
  session: Session,
  found: readonly ContainerSummary[],
): Promise<void> => {
  if (session.container_id === null || session.status === 'starting') return;
  const ofSession = found.filter(({ labels }) => labels[labelKeys.session] === session.id);
  const mine = ofSession.filter(({ labels }) => labels[labelKeys.role] === 'session');
  const own = mine.find(({ id }) => id === session.container_id);
  if (own === undefined) return;
  for (const { id } of mine) if (id !== own.id) await runtime.removeContainer(id);
  if (own.name !== sandboxName(session.id)) await runtime.renameContainer(own.id, sandboxName(session.id));
  const hasGate = ofSession.some(({ labels }) => labels[labelKeys.role] === 'gate');
  if (hasGate && session.network !== 'gate') await createSessionGates(deps.networks).close({ ...session, network: 'gate' });
};
