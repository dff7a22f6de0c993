// Puts the sessions right after a host or a runtime was away: everything is found again by its labels, and what nobody owns is removed.
import { isAlive } from '../base/process-identity.ts';
import type { ContainerDetails, ContainerRuntime, ContainerSummary } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { Session } from '../contract/model.ts';
import { cutSteps, neverRan, removeUnborn, tidyReplaced } from './recover-launch.ts';
import { renewSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import { createSessionGates, cutOffWords } from './session-network.ts';
import type { SessionDeps } from './session-parts.ts';

const passingRoles = new Set(['setup-run', 'boot-test', 'probe', 'base']);

const keptWords = 'The container was removed outside Sandlot. /workspace is kept: replace the sandbox to go on.';

/** The patch of a session without a container; its workspace may be there. */
const patchOfLost = ({ status, container_id, stopped_at }: Session, at: string, hasWorkspace: boolean): Partial<Session> | null => {
  if (status === 'starting') return { status: 'failed', message: 'Sandlot ended while this session was starting.', ended_at: at };
  if (!hasWorkspace) return { status: 'ended', message: 'The container of this session was removed outside Sandlot.', ended_at: at };
  if (status === 'stopped' && container_id === null) return null;
  return { status: 'stopped', container_id: null, message: keptWords, stopped_at: stopped_at ?? at };
};

/** The patch of a session that was started outside Sandlot; only one that a person deleted still goes. */
const patchOfRunning = ({ status, started_at, delete_at, deleted_at }: Session, id: string, at: string): Partial<Session> | null => {
  if (status === 'running') return null;
  const undated = delete_at && !deleted_at ? { delete_at: null } : {};
  return { status: 'running', container_id: id, started_at: started_at ?? at, stopped_at: null, ...undated };
};

/** What changes in a session whose container is in this state; null when nothing does. `hasWorkspace`: its volume is there. Pure. */
export const patchFor = (session: Session, found: ContainerDetails | null, at: string, hasWorkspace: boolean): Partial<Session> | null => {
  if (found === null) return patchOfLost(session, at, hasWorkspace);
  if (found.status === 'running' || found.status === 'paused') return patchOfRunning(session, found.id, at);
  if (session.status === 'stopped') return null;
  const cause = found.oomKilled
    ? 'The session ran out of memory and was stopped.'
    : `The container stopped outside Sandlot (exit code ${found.exitCode ?? 'unknown'}).`;
  return { status: 'stopped', container_id: found.id, message: cause, stopped_at: at };
};

/** Nobody stands behind the gate of a session without a container: it rests, and is made anew with the next sandbox. */
const restLost = async (deps: SessionDeps, session: Session): Promise<void> => {
  if (session.status !== 'stopped' || session.container_id !== null) return;
  await createSessionGates(deps.networks)
    .rest(session)
    .catch(() => undefined);
};

const stateOf = async (
  deps: SessionDeps,
  session: Session,
  found: ContainerDetails | null,
  isUnborn: boolean,
): Promise<Partial<Session> | null> => {
  const isLost = found === null && !isUnborn;
  const hasWorkspace = isLost && (await deps.runtimeOf(session.runtime).listVolumes({})).some(({ name }) => name === session.volume);
  return patchFor(session, isUnborn ? null : found, deps.clock.iso(), hasWorkspace);
};

/** Brings one session into the state that its container is in. */
export const settle = async (deps: SessionDeps, book: SessionBook, session: Session): Promise<Session> => {
  if (session.status === 'ended' || session.status === 'failed') return session;
  const runtime = deps.runtimeOf(session.runtime);
  const found = await runtime.inspectContainer(session.container_id ?? `sandlot-${session.id}`);
  const isUnborn = neverRan(session, found);
  const state = await stateOf(deps, session, found, isUnborn);
  const cut = cutSteps({ steps: session.steps, status: isUnborn ? 'starting' : 'running' });
  const patch = state === null && cut === null ? null : { ...state, ...cut, ...(isUnborn ? { container_id: null } : {}) };
  if (isUnborn) await removeUnborn(deps, session).catch(() => undefined);
  const now = patch === null ? session : await book.change(session.id, patch);
  if (state !== null) await restLost(deps, now);
  // Started outside Sandlot: its file system in memory is empty.
  if (patch?.status === 'running') await renewSecretFiles(deps, book, { sessionId: session.id });
  return await settleNetwork(deps, book, now);
};

/** Mends the network of a session that runs, and says so where it cannot; the container itself is not touched. */
export const settleNetwork = async (deps: SessionDeps, book: SessionBook, session: Session): Promise<Session> => {
  const message = await createSessionGates(deps.networks).heal(session);
  const wasCutOff = session.message?.startsWith(cutOffWords) === true;
  if (message === null && !wasCutOff) return session;
  return await book.change(session.id, { message });
};

/** A container of ours that nobody needs: its host is gone, or its session is unknown here. */
const isOrphan = async ({ labels }: ContainerSummary, ours: string, knownSessions: Set<string>): Promise<boolean> => {
  const role = labels[labelKeys.role] ?? '';
  const owner = labels[labelKeys.owner] ?? '';
  if (role === 'session') {
    const isKnown = knownSessions.has(labels[labelKeys.session] ?? '');
    return !isKnown && (owner === ours || !(await isAlive(owner)));
  }
  return passingRoles.has(role) && owner !== ours && !(await isAlive(owner));
};

/** Removes left-overs of this data folder from a runtime. Foreign containers, and those of other data folders, are never touched. */
export const removeOrphans = async (
  deps: SessionDeps,
  runtime: ContainerRuntime,
  { isBusy, standing }: { isBusy: (sessionId: string) => boolean; standing: ReadonlySet<string> },
): Promise<void> => {
  const labels = deps.makeLabels('session');
  const found = await runtime.listContainers({ [labelKeys.managed]: 'true', [labelKeys.home]: labels[labelKeys.home] ?? '-' });
  const sessions = await deps.sessionStore.list();
  const known = new Set([...sessions.map(({ id }) => id), ...standing]);
  const quiet = sessions.filter(({ id, runtime: at }) => at === runtime.id && !isBusy(id));
  for (const session of quiet) await tidyReplaced(runtime, session, found);
  const knowsAll = deps.knowsAllSessions?.() ?? true;
  for (const container of found) {
    // A registry that was lost knows nobody: the containers wait until a backup is restored, or until they are pruned by hand.
    if (!knowsAll && container.labels[labelKeys.role] === 'session') continue;
    if (!(await isOrphan(container, labels[labelKeys.owner] ?? '', known))) continue;
    await runtime.removeContainer(container.id);
    // A sandbox that stood ready when its host was killed: nobody ever worked in it.
    if (container.labels[labelKeys.role] === 'session') await runtime.removeVolume(container.name).catch(() => undefined);
  }
};
