// Moves a session to a sandbox of another configuration: the workspace stays, all else is made anew. The old sandbox goes only
// when the new one runs; when that cannot start, the old one goes on as if nothing had been.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxName } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { type Carrying, stepsToCome } from './carry-in.ts';
import { carryStart, isKeptInside } from './carry-start.ts';
import { checkHostFolders } from './check-host-folders.ts';
import { isRepoCut } from './fill-workspace.ts';
import { createImageEnv, findImage } from './launch.ts';
import { writeSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import { checkPlan, containerSpec, networkOf } from './session-container.ts';
import { createSessionGates, sealSession, type TurnedWay, turnWay } from './session-network.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { leavesSetupOut } from './setup-left-out.ts';

/** The reason as one more sentence, where it has ended. */
export const whyEnded = ({ status, message }: Session): string => (status === 'ended' && message !== null ? ` ${message}` : '');

const notLiving = (session: Session): SandlotError =>
  new SandlotError('session_not_running', `Session "${session.name}" is ${session.status}, so it cannot be replaced.${whyEnded(session)}`, {
    nextAction: 'Launch a new session.',
  });

const differs = (session: Session, plan: LaunchPlan): SandlotError =>
  new SandlotError(
    'runtime_differs',
    `Session "${session.name}" is on "${session.runtime}" and "${plan.environment.name}" on "${plan.runtimeId}": a workspace stays on its runtime.`,
    { nextAction: 'Choose an environment on the same runtime, or launch a new session and copy what you need.' },
  );

/** Refuses what cannot be done, before anything is touched. @throws session_not_running @throws runtime_differs @throws invalid_request */
export const checkReplace = (session: Session, plan: LaunchPlan): void => {
  if (session.deleted_at) throw notLiving({ ...session, status: 'ended', message: null });
  if (!['running', 'stopped'].includes(session.status)) throw notLiving(session);
  if (session.runtime !== plan.runtimeId) throw differs(session, plan);
  if (session.observed) {
    throw new SandlotError('invalid_request', `Session "${session.name}" is observed: end that first.`, {
      nextAction: `End it: sandlot session enforce ${session.id}`,
    });
  }
  checkPlan(plan);
};

interface Replacing {
  session: Session;
  plan: LaunchPlan;
  imageId: string;
  env: string[];
}

/** What the session is once the new sandbox runs. */
const patchOf = (deps: SessionDeps, { plan, imageId, session }: Replacing, containerId: string): Partial<Session> => ({
  environment_id: plan.environment.id,
  environment_name: plan.environment.name,
  environment_revision: plan.environment.revision,
  status: 'running',
  message: null,
  container_id: containerId,
  image_id: imageId,
  image_source: plan.imageSource,
  setup_left_out: leavesSetupOut(session, plan),
  fallback: plan.fallback,
  computer_use: plan.environment.computer_use,
  // What the workspace has of another repository is still there, and nothing else takes its place.
  ...(plan.environment.repo === null ? {} : { workdir: plan.environment.repo.path }),
  secrets: plan.secrets?.names ?? [],
  secret_files: plan.secrets?.files ?? [],
  seal: null,
  start_script: { status: 'none', exit_code: null, stream_id: null },
  started_at: deps.clock.iso(),
  stopped_at: null,
  delete_at: null,
  idle_stop_at: null,
  ...(plan.config === undefined ? {} : { config: plan.config }),
});

const startNew = async (
  deps: SessionDeps,
  book: SessionBook,
  { session, plan, imageId, env }: Replacing,
  way: TurnedWay,
): Promise<string> => {
  const runtime = deps.runtimeOf(session.runtime);
  const name = nextName(session.id);
  // Left by a host that ended in the middle.
  await runtime.removeContainer(name);
  const named = { environment_id: plan.environment.id, environment_name: plan.environment.name };
  const as = { ...session, ...named, secrets: plan.secrets?.names ?? [], secret_files: plan.secrets?.files ?? [] };
  const spec = containerSpec(plan, as, { image: { id: imageId, env }, network: way.join, makeLabels: deps.makeLabels });
  const id = await book.step(session.id, 'create', () => runtime.createContainer({ ...spec, name }));
  try {
    await way.proven;
    await book.step(session.id, 'start', () => runtime.startContainer(id));
    const found = await runtime.inspectContainer(id);
    if (found?.status === 'running') {
      await writeSecretFiles(deps, as, id);
      return id;
    }
    throw new SandlotError('runtime_error', `The new sandbox ended at once (exit code ${found?.exitCode ?? 'unknown'}).`);
  } catch (thrown) {
    await runtime.removeContainer(id).catch(() => undefined);
    throw thrown;
  }
};

/** Takes along how the workspace began; where that fails, it is noticed when the new sandbox is looked at. */
const takeStart = async (
  deps: SessionDeps,
  { runtime, container_id: from, workspace_start: start }: Session,
  to: string,
): Promise<void> => {
  if (from === null || !isKeptInside(start)) return;
  await carryStart({ runtime: deps.runtimeOf(runtime), containerId: from }, to).catch(() => undefined);
};

/** The name of the new sandbox until it takes the place of the old one. */
const nextName = (sessionId: string): string => `${sandboxName(sessionId)}-next`;

const stopSeconds = 1;

/** Removes it, or at least stops it; answers what is to be said when it stays. */
const removeOld = async (runtime: ContainerRuntime, oldId: string): Promise<string | null> => {
  try {
    await runtime.removeContainer(oldId);
    return null;
  } catch (thrown) {
    await runtime.stopContainer(oldId, stopSeconds).catch(() => undefined);
    return `The old sandbox could not be removed and may still run: ${(thrown as Error).message}`;
  }
};

/** The old one goes, and the new one gets its name. What fails here is done when the host starts again. */
const takePlace = async (
  deps: SessionDeps,
  book: SessionBook,
  { id, runtime: at, container_id }: Session,
  newId: string,
): Promise<void> => {
  const runtime = deps.runtimeOf(at);
  deps.sandboxEnds?.(id);
  const message = container_id === null ? null : await removeOld(runtime, container_id);
  // Its name is not free.
  if (message !== null) return void (await book.change(id, { message }));
  await runtime.renameContainer(newId, sandboxName(id)).catch(() => undefined);
};

const wordsOf = (session: Session, plan: LaunchPlan, thrown: unknown): SandlotError => {
  const known = thrown instanceof SandlotError ? thrown : null;
  const why = (thrown as Error).message;
  return new SandlotError(
    known?.code ?? 'runtime_error',
    `"${plan.environment.name}" could not take the place of the sandbox of "${session.name}", which goes on as it was: ${why}`,
    {
      cause: thrown,
      ...(known === null ? {} : { details: known.details }),
      ...(known?.nextAction ? { nextAction: known.nextAction } : {}),
    },
  );
};

/** Makes the replacement; the caller sees to it that nothing else changes the session meanwhile. */
export const createReplace = (deps: SessionDeps, book: SessionBook, carry: Carrying['begin']) => {
  const imageEnv = createImageEnv();
  const gates = createSessionGates(deps.networks);

  const swap = async (session: Session, plan: LaunchPlan, signal: AbortSignal): Promise<{ containerId: string; way: TurnedWay }> => {
    const imageId = await findImage(book, plan, session, signal);
    const env = await imageEnv(deps.runtimeOf(session.runtime), imageId);
    signal.throwIfAborted();
    const way = await turnWay(deps, book, { plan, session, imageId, signal });
    try {
      signal.throwIfAborted();
      const replacing = { session, plan, imageId, env };
      const containerId = await startNew(deps, book, replacing, way);
      await takeStart(deps, session, containerId);
      const steps = [...(await book.get(session.id)).steps, ...stepsToCome(plan.environment, deps.clock.iso())];
      await book.change(session.id, { ...patchOf(deps, replacing, containerId), ...way.session, steps });
      return { containerId, way };
    } catch (thrown) {
      await way.undo().catch(() => undefined);
      throw thrown;
    }
  };

  return async (id: string, plan: LaunchPlan, signal: AbortSignal): Promise<Session> => {
    const before = await book.get(id);
    checkReplace(before, plan);
    await checkHostFolders(plan.environment, plan.ownFolder);
    if (plan.secrets !== undefined) await deps.secrets.keep(id, plan.secrets.own);
    await book.change(id, { steps: [] });
    const { containerId, way } = await swap(before, plan, signal).catch(async (thrown: unknown) => {
      await book.change(id, { steps: before.steps, image_id: before.image_id });
      throw wordsOf(before, plan, thrown);
    });
    await takePlace(deps, book, before, containerId);
    // The old one is gone. What is left of it is settled by the next start of the host.
    await way.done().catch(() => undefined);
    if (before.network === 'gate' && networkOf(plan.environment.network_policy) !== 'gate') await gates.close(before);
    const now = await book.get(id);
    sealSession(deps, book, id).catch((thrown: unknown) => book.note(id, { message: (thrown as Error).message }));
    const kept = { ...plan, keepsWorkspace: true, isRepoCut: isRepoCut(before) };
    carry({ plan: kept, session: now, containerId }, (thrown) => book.note(id, { message: (thrown as Error).message }));
    return now;
  };
};
