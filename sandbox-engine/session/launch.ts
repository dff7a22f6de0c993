// Starts a session: the row first, then container and start, then, off the way to the prompt, what is carried in.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import type { Session } from '../contract/model.ts';
import { type Calm, createCalm } from './calm.ts';
import { type Carrying, createCarrying, type Started, stepsToCome } from './carry-in.ts';
import { checkHostFolders } from './check-host-folders.ts';
import { failureText } from './failure-text.ts';
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
  /** Uses a session as soon as it runs, before anything that can wait; that waits until what was begun has `shown` something. */
  useFirst: <T>(id: string, use: (session: Session) => Promise<T>, shown?: (begun: T) => Promise<unknown>) => Promise<T>;
  /** Gives up what is under way for this session and waits until it has stopped. */
  abandon: (id: string) => Promise<void>;
  /** The same for all, before the host ends. */
  abandonAll: () => Promise<void>;
  /** Whether it is being launched, or what is no part of its image is being brought in. */
  isBusy: (id: string) => boolean;
  /** Brings into a sandbox that has just started what is no part of its image. */
  carry: Carrying['begin'];
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

/** It runs, and what is still to come is written down with that. */
const noteRunning = async ({ clock }: SessionDeps, book: SessionBook, { environment }: LaunchPlan, id: string): Promise<void> => {
  const at = clock.iso();
  book.note(id, { status: 'running', started_at: at, steps: [...(await book.get(id)).steps, ...stepsToCome(environment, at)] });
};

type Start = ReturnType<typeof makeStart>;

/** A whole launch. What goes wrong in it ends up in the session, never in a rejection that nobody hears. */
const makeRun = (deps: SessionDeps, book: SessionBook, { start, calm, carrying }: { start: Start; calm: Calm; carrying: Carrying }) => {
  const follow = (started: Started & { calm: Promise<void> }): void => {
    const { id } = started.session;
    const failed = (thrown: unknown) => book.note(id, { message: (thrown as Error).message });
    started.calm.then(() => sealSession(deps, book, id)).catch(failed);
    carrying.begin(started, failed);
  };
  return async (plan: LaunchPlan, session: Session, signal: AbortSignal): Promise<void> => {
    try {
      const containerId = await start(plan, session, signal);
      await noteRunning(deps, book, plan, session.id);
      follow({ plan, session, containerId, calm: calm.wait() });
    } catch (thrown) {
      const message = signal.aborted ? 'The launch was given up.' : failureText(thrown);
      const left = await removeMade(deps, book, session);
      await book.change(session.id, { status: 'failed', message, ended_at: deps.clock.iso(), ...left }).catch(() => undefined);
    }
  };
};

/** Makes the launcher of one host. */
export const createLaunches = (deps: SessionDeps, book: SessionBook, warm: WarmSandboxes): Launches => {
  const start = makeStart(deps, book, warm, createImageEnv());
  const underway = new Map<string, { done: Promise<void>; abort: AbortController }>();
  const carrying = createCarrying(deps, book);
  const calm = createCalm();
  const run = makeRun(deps, book, { start, calm, carrying });

  const launched = async (id: string): Promise<Session> => {
    await underway.get(id)?.done;
    return await book.get(id);
  };

  return {
    launch: async (plan) => {
      checkPlan(plan);
      await checkHostFolders(plan.environment, plan.ownFolder);
      const id = idFor(deps, warm, plan);
      const [findName] = await Promise.all([
        book.nameFinder(plan.environment.name),
        plan.secrets === undefined ? null : deps.secrets.keep(id, plan.secrets.own),
      ]);
      const session = newSession(deps.clock, { ...plan, name: plan.name ?? findName() }, id);
      const abort = new AbortController();
      const inserted = book.insert(session);
      const done = calm.first(() => run(plan, session, abort.signal)).finally(() => underway.delete(session.id));
      underway.set(session.id, { done, abort });
      await inserted;
      return await book.get(session.id);
    },
    launched,
    useFirst: (id, use, shown) => calm.first(async () => await use(await launched(id)), shown),
    abandon: async (id) => {
      const launch = underway.get(id);
      launch?.abort.abort();
      await launch?.done;
    },
    isBusy: (id) => underway.has(id) || carrying.has(id),
    carry: carrying.begin,
    over: (id) => carrying.over(id, underway.get(id)?.done),
    abandonAll: async () => {
      const launches = [...underway.values()];
      for (const { abort } of launches) abort.abort();
      await Promise.all(launches.map(({ done }) => done));
    },
  };
};
