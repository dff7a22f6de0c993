// Starts a session: the row first, then container and start, then, off the way to the prompt, what is carried in.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import type { Session } from '../contract/model.ts';
import { waitForCalm } from './calm.ts';
import { createCarrying } from './carry-in.ts';
import { checkHostFolders } from './check-host-folders.ts';
import { firstNetwork, newSession } from './new-session.ts';
import { writeSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import { checkPlan, containerSpec } from './session-container.ts';
import { aborted, createSessionGates, openWay, sealSession } from './session-network.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { isWanted, type WarmSandbox, type WarmSandboxes } from './warm-sandboxes.ts';

export interface Launches {
  /** Answers as soon as the row exists. @throws network_policy_not_supported @throws forbidden */
  launch: (plan: LaunchPlan) => Promise<Session>;
  /** Waits until the session runs, or does not. */
  launched: (id: string) => Promise<Session>;
  /** Gives up what is under way for this session and waits until it has stopped. */
  abandon: (id: string) => Promise<void>;
  /** The same for all, before the host ends. */
  abandonAll: () => Promise<void>;
  /** Whether it is being launched, or what is no part of its image is being brought in. */
  isBusy: (id: string) => boolean;
  /** Waits until it is neither. */
  over: (id: string) => Promise<void>;
}

/** That of a sandbox that stands ready, or else of a gate that does. */
const idFor = (deps: SessionDeps, warm: WarmSandboxes, plan: LaunchPlan): string =>
  warm.take(plan) ?? (firstNetwork(plan) === 'gate' ? deps.networks.takeReady(plan.runtimeId) : null) ?? deps.newId('ses');

/** The variables of an image; an image never changes, so each is looked at once. */
export const createImageEnv = () => {
  const known = new Map<string, string[]>();
  return async (runtime: ContainerRuntime, imageId: string): Promise<string[]> => {
    const key = `${runtime.id} ${imageId}`;
    const env = known.get(key) ?? (await runtime.inspectImage(imageId))?.env;
    if (env === undefined) {
      throw new SandlotError('image_missing', `The image ${imageId.slice(0, 19)} is no longer there.`, {
        nextAction: 'Build the environment again.',
      });
    }
    known.set(key, env);
    return env;
  };
};

/** The image to boot from; made as a step of the session where it has to be. */
export const findImage = async (book: SessionBook, plan: LaunchPlan, session: Session, signal: AbortSignal): Promise<string> => {
  const { image } = plan;
  if (typeof image === 'string') return image;
  const imageId = await book.step(session.id, 'image', (say) => Promise.race([image(signal, say), aborted(signal)]));
  await book.change(session.id, { image_id: imageId });
  return imageId;
};

type ImageEnv = ReturnType<typeof createImageEnv>;

/** Where a sandbox stands ready that is what is wanted, it is the session's; else one is made and started once its network is proven. */
const putSandbox = async (
  {
    runtime,
    book,
    id,
    proven,
    signal,
  }: { runtime: ContainerRuntime; book: SessionBook; id: string; proven: Promise<unknown>; signal: AbortSignal },
  spec: ContainerSpec,
  claimed: WarmSandbox | null,
): Promise<string> => {
  if (claimed !== null && isWanted(claimed, spec)) {
    await proven;
    book.note(id, { warm: true });
    return claimed.containerId;
  }
  if (claimed !== null) {
    await runtime.removeContainer(claimed.containerId);
    // Nobody worked in it, and it was filled from the image of then.
    await runtime.removeVolume((await book.get(id)).volume);
  }
  const containerId = await book.step(id, 'create', () => runtime.createContainer(spec));
  book.note(id, { container_id: containerId });
  await proven;
  signal.throwIfAborted();
  await book.step(id, 'start', () => runtime.startContainer(containerId));
  return containerId;
};

const makeStart =
  (deps: SessionDeps, book: SessionBook, warm: WarmSandboxes, imageEnv: ImageEnv) =>
  async (plan: LaunchPlan, session: Session, signal: AbortSignal): Promise<string> => {
    const runtime = deps.runtimeOf(plan.runtimeId);
    const claimed = await warm.claim(session.id);
    // From here on it goes with the session, however the launch ends.
    if (claimed !== null) book.note(session.id, { container_id: claimed.containerId });
    const imageId = await findImage(book, plan, session, signal);
    const env = await imageEnv(runtime, imageId);
    signal.throwIfAborted();
    const { join: network, proven } = await openWay(deps, book, { plan, session, imageId, signal });
    signal.throwIfAborted();
    const spec = containerSpec(plan, session, { image: { id: imageId, env }, network, makeLabels: deps.makeLabels });
    const containerId = await putSandbox({ runtime, book, id: session.id, proven, signal }, spec, claimed);
    // Before anybody can open a terminal: what it starts finds them.
    if (session.secret_files.length > 0) await book.step(session.id, 'secrets', () => writeSecretFiles(deps, session, containerId));
    return containerId;
  };

/** A container that never ran holds nothing worth keeping; what cannot be removed now goes with the session. */
const removeMade = async (deps: SessionDeps, book: SessionBook, { id, runtime }: Session): Promise<Partial<Session>> => {
  try {
    const session = await book.get(id);
    if (session.container_id !== null) await deps.runtimeOf(runtime).removeContainer(session.container_id);
    await createSessionGates(deps.networks).close(session);
    await deps.runtimeOf(runtime).removeVolume(session.volume);
    return { container_id: null };
  } catch {
    return {};
  }
};

/** Makes the launcher. What goes wrong in the background ends up in the session, never in a rejection that nobody hears. */
export const createLaunches = (deps: SessionDeps, book: SessionBook, warm: WarmSandboxes): Launches => {
  const start = makeStart(deps, book, warm, createImageEnv());
  const underway = new Map<string, { done: Promise<void>; abort: AbortController }>();
  const carrying = createCarrying(deps, book);

  const run = async (plan: LaunchPlan, session: Session, signal: AbortSignal): Promise<void> => {
    try {
      const containerId = await start(plan, session, signal);
      book.note(session.id, { status: 'running', started_at: deps.clock.iso() });
      const calm = waitForCalm(() => underway.size);
      const failed = (thrown: unknown) => book.note(session.id, { message: (thrown as Error).message });
      calm.then(() => sealSession(deps, book, session.id)).catch(failed);
      carrying.begin({ plan, session, containerId, calm }, failed);
    } catch (thrown) {
      const message = signal.aborted ? 'The launch was given up.' : (thrown as Error).message;
      const left = await removeMade(deps, book, session);
      await book.change(session.id, { status: 'failed', message, ended_at: deps.clock.iso(), ...left }).catch(() => undefined);
    }
  };

  return {
    launch: async (plan) => {
      checkPlan(plan);
      await checkHostFolders(plan.environment, plan.ownFolder);
      const session = newSession(deps.clock, plan, idFor(deps, warm, plan));
      if (plan.secrets !== undefined) await deps.secrets.keep(session.id, plan.secrets.own);
      const abort = new AbortController();
      const inserted = book.insert(session);
      const done = run(plan, session, abort.signal).finally(() => underway.delete(session.id));
      underway.set(session.id, { done, abort });
      await inserted;
      return await book.get(session.id);
    },
    launched: async (id) => {
      await underway.get(id)?.done;
      return await book.get(id);
    },
    abandon: async (id) => {
      const launch = underway.get(id);
      launch?.abort.abort();
      await launch?.done;
    },
    isBusy: (id) => underway.has(id) || carrying.has(id),
    over: (id) => carrying.over(id, underway.get(id)?.done),
    abandonAll: async () => {
      const launches = [...underway.values()];
      for (const { abort } of launches) abort.abort();
      await Promise.all(launches.map(({ done }) => done));
    },
  };
};
