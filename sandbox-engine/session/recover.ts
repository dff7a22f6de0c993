// Puts the sessions right after a host or a runtime was away: everything is found again by its labels, and what nobody owns is removed.
import { isAlive } from '../base/process-identity.ts';
import type { ContainerDetails, ContainerRuntime, ContainerSummary } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { Environment, Session } from '../contract/model.ts';
import { type Carrying, canCarryAgain, stepsToCome } from './carry-in.ts';
import { cutSteps, neverRan, removeUnborn, tidyReplaced } from './recover-launch.ts';
import { renewSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import { createSessionGates, cutOffWords } from './session-network.ts';
import type { SessionDeps } from './session-parts.ts';
import { endCutStop } from './stop.ts';

/** What is said of a session of which nothing is left. */
const nothingLeftWords = 'Its sandbox and its workspace were removed outside Sandlot.';

const passingRoles = new Set(['setup-run', 'boot-test', 'probe', 'base']);

const keptWords = 'The container was removed outside Sandlot. /workspace is kept: replace the sandbox to go on.';

/** The patch of a session without a container; its workspace may be there. */
const patchOfLost = ({ status, container_id, stopped_at }: Session, at: string, hasWorkspace: boolean): Partial<Session> | null => {
  if (status === 'starting') return { status: 'failed', message: 'Sandlot ended while this session was starting.', ended_at: at };
  if (!hasWorkspace) return { status: 'ended', message: nothingLeftWords, ended_at: at };
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

/** Nobody stands behind the gate of a session without a container: it rests, and is made anew with the next sandbox; with the session it goes. */
const restLost = async (deps: SessionDeps, session: Session): Promise<void> => {
  const gates = createSessionGates(deps.networks);
  if (session.status === 'ended') return await gates.close(session).catch(() => undefined);
  if (session.status !== 'stopped' || session.container_id !== null) return;
  await gates.rest(session).catch(() => undefined);
};

const isWorkspaceThere = async (deps: SessionDeps, { runtime, volume }: Session): Promise<boolean> =>
  (await deps.runtimeOf(runtime).listVolumes({})).some(({ name }) => name === volume);

/** Ends one whose sandbox was removed outside Sandlot and whose workspace was so later, of which nobody tells: a new workspace in its
 *  place would look as if nothing had been lost. */
export const endWithoutWorkspace = async (deps: SessionDeps, book: SessionBook, session: Session): Promise<Session> => {
  if (session.status !== 'stopped' || session.container_id !== null || (await isWorkspaceThere(deps, session))) return session;
  const ended = await book.change(session.id, { status: 'ended', message: nothingLeftWords, ended_at: deps.clock.iso() });
  await restLost(deps, ended);
  return ended;
};

const stateOf = async (
  deps: SessionDeps,
  session: Session,
  found: ContainerDetails | null,
  isUnborn: boolean,
): Promise<Partial<Session> | null> => {
  const isLost = found === null && !isUnborn;
  const hasWorkspace = isLost && (await isWorkspaceThere(deps, session));
  return patchFor(session, isUnborn ? null : found, deps.clock.iso(), hasWorkspace);
};

/** The steps of one that goes on: those that made its sandbox are done, and those that bring something in begin once more. */
const goesOn = ({ steps }: Session, environment: Environment, at: string): Pick<Session, 'steps'> => {
  const toCome = stepsToCome(environment, at);
  const before = steps.filter(({ name }) => !toCome.some((step) => step.name === name));
  return { steps: [...before.map((step) => ({ ...step, status: step.status === 'running' ? 'succeeded' : step.status })), ...toCome] };
};

/** The environment by which what was cut off is brought in, as long as it is what it was; null when nothing is, or can be. */
const carryAgain = async (deps: SessionDeps, session: Session, found: ContainerDetails | null): Promise<Environment | null> => {
  if (found?.status !== 'running' || session.deleted_at || !canCarryAgain(session)) return null;
  const environment = (await deps.environmentOf?.(session)) ?? null;
  return environment?.revision === session.environment_revision ? environment : null;
};

interface Found {
  container: ContainerDetails | null;
  isUnborn: boolean;
  again: Environment | null;
}

/** What changes in its row; null when nothing does. */
const changeOf = async (deps: SessionDeps, session: Session, { container, isUnborn, again }: Found): Promise<Partial<Session> | null> => {
  const state = await stateOf(deps, session, container, isUnborn);
  const rest = { steps: session.steps, status: isUnborn ? ('starting' as const) : ('running' as const) };
  const steps = again === null ? cutSteps(rest, session.status !== 'starting') : goesOn(session, again, deps.clock.iso());
  if (state === null && steps === null) return null;
  const { stopping } = session;
  return { ...state, ...steps, ...(isUnborn ? { container_id: null } : {}), ...(stopping ? { stopping: null } : {}) };
};

/** Brings one session into the state that its container is in; what was being brought into it is brought in by `carry`. */
export const settle = async (deps: SessionDeps, book: SessionBook, session: Session, carry?: Carrying['begin']): Promise<Session> => {
  if (session.status === 'ended' || session.status === 'failed') return session;
  const runtime = deps.runtimeOf(session.runtime);
  const container = await runtime.inspectContainer(session.container_id ?? `sandlot-${session.id}`);
  if (session.stopping && container !== null) return await endCutStop(deps, book, session, container.id);
  const isUnborn = neverRan(session, container);
  const again = carry === undefined ? null : await carryAgain(deps, session, container);
  const patch = await changeOf(deps, session, { container, isUnborn, again });
  if (isUnborn) await removeUnborn(deps, session).catch(() => undefined);
  const now = patch === null ? session : await book.change(session.id, patch);
  if (patch?.status !== undefined) await restLost(deps, now);
  // Started outside Sandlot: its file system in memory is empty.
  if (patch?.status === 'running') await renewSecretFiles(deps, book, { sessionId: session.id });
  const settled = await settleNetwork(deps, book, now);
  if (again !== null && container !== null) {
    const plan = { environment: again, runtimeId: session.runtime, keepsWorkspace: true };
    carry?.({ plan, session: settled, containerId: container.id }, (thrown) =>
      book.note(session.id, { message: (thrown as Error).message }),
    );
  }
  return settled;
};

/** Mends the network of a session that runs, and says so where it cannot; the container itself is not touched. */
export const settleNetwork = async (deps: SessionDeps, book: SessionBook, session: Session): Promise<Session> => {
  const message = await createSessionGates(deps.networks).heal(session);
  const now = await book.get(session.id);
  // Looking takes a while, and what is stopped meanwhile has no network to be said anything of.
  if (session.status === 'running' && (now.status !== 'running' || now.stopping)) return now;
  const wasCutOff = now.message?.startsWith(cutOffWords) === true;
  if (message === null && !wasCutOff) return now;
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

/** Ends the replacements that a host was killed in, before anybody is listened for: the sandbox that is not the session's own must be gone. */
export const tidyReplacements = async (deps: SessionDeps, runtime: ContainerRuntime, sessions: readonly Session[]): Promise<void> => {
  const mine = { [labelKeys.managed]: 'true', [labelKeys.home]: deps.makeLabels('session')[labelKeys.home] ?? '-' };
  const found = await runtime.listContainers(mine);
  for (const session of sessions) if (session.runtime === runtime.id) await tidyReplaced(deps, runtime, session, found);
};

/** Removes left-overs of this data folder from a runtime. Foreign containers, and those of other data folders, are never touched. */
export const removeOrphans = async (deps: SessionDeps, runtime: ContainerRuntime, standing: ReadonlySet<string>): Promise<void> => {
  const labels = deps.makeLabels('session');
  const found = await runtime.listContainers({ [labelKeys.managed]: 'true', [labelKeys.home]: labels[labelKeys.home] ?? '-' });
  const known = new Set([...(await deps.sessionStore.list()).map(({ id }) => id), ...standing]);
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
