// Stop, resume, restart, remove: one at a time for each session, each safe to repeat.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import { bringDesktop } from './desktop.ts';
import type { Launches } from './launch.ts';
import { endWithoutWorkspace } from './recover.ts';
import { createReplace, whyEnded } from './replace.ts';
import { writeSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import { createSessionGates, sealSession } from './session-network.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { runStartScriptAgain } from './start-script.ts';
import { stop, stopSeconds } from './stop.ts';

const streamsOf = async ({ sessionStore }: SessionDeps, session: Session): Promise<string[]> => {
  const [terminals, execs] = await Promise.all([sessionStore.listTerminals(session.id), sessionStore.listExecs(session.id)]);
  return [
    ...execs.flatMap(({ stdout_stream_id, stderr_stream_id }) => [stdout_stream_id, stderr_stream_id]),
    ...terminals.map(({ stream_id }) => stream_id),
    ...(session.start_script.stream_id === null ? [] : [session.start_script.stream_id]),
    ...(session.tape_stream_id === undefined ? [] : [session.tape_stream_id]),
  ];
};

/** Started without its secrets it would look whole: then it is stopped again. */
const startWithSecrets = async (deps: SessionDeps, session: Session, containerId: string): Promise<void> => {
  const runtime = deps.runtimeOf(session.runtime);
  await runtime.startContainer(containerId);
  try {
    await writeSecretFiles(deps, session, containerId);
  } catch (thrown) {
    await runtime.stopContainer(containerId, stopSeconds).catch(() => undefined);
    throw thrown;
  }
};

const lostItsSandbox = ({ id, name }: Session): SandlotError =>
  new SandlotError('session_not_running', `The sandbox of session "${name}" is gone, so it cannot be resumed. Its /workspace is kept.`, {
    nextAction: `Replace its sandbox: sandlot session replace ${id}`,
  });

const resume = async (deps: SessionDeps, book: SessionBook, id: string): Promise<Session> => {
  const session = await endWithoutWorkspace(deps, book, await book.get(id));
  if (session.status === 'running') return session;
  if (session.deleted_at) {
    throw new SandlotError('session_not_running', `Session "${session.name}" is deleted.`, {
      nextAction: `Take that back first: sandlot session undelete ${id}`,
    });
  }
  if (session.status === 'stopped' && session.container_id === null) throw lostItsSandbox(session);
  if (session.status !== 'stopped' || session.container_id === null) {
    const { name, status } = session;
    throw new SandlotError('session_not_running', `Session "${name}" is ${status} and cannot be resumed.${whyEnded(session)}`, {
      nextAction: 'Launch a new session.',
    });
  }
  const { container_id: containerId } = session;
  await createSessionGates(deps.networks).resume(session, containerId, () => startWithSecrets(deps, session, containerId));
  const resumed = await book.change(id, {
    status: 'running',
    message: null,
    started_at: deps.clock.iso(),
    stopped_at: null,
    seal: null,
    delete_at: null,
  });
  // In the background, as after a launch.
  bringDesktop(deps, book, resumed, containerId);
  const failed = (thrown: unknown) => book.note(id, { message: (thrown as Error).message });
  sealSession(deps, book, id).catch(failed);
  runStartScriptAgain(deps, book, resumed).catch(failed);
  return resumed;
};

const remove = async (deps: SessionDeps, book: SessionBook, id: string): Promise<void> => {
  const session = await book.get(id);
  const runtime = deps.runtimeOf(session.runtime);
  const gates = createSessionGates(deps.networks);
  await gates.rest(session);
  await runtime.removeContainer(session.container_id ?? `sandlot-${id}`);
  await gates.close(session);
  await runtime.removeVolume(session.volume);
  const streams = await streamsOf(deps, session);
  await book.remove(id);
  await Promise.all(streams.map((stream) => deps.streams.remove(stream)));
};

const endObservation = async (deps: SessionDeps, book: SessionBook, id: string): Promise<Session> => {
  const session = await book.get(id);
  if (!session.observed) return session;
  await createSessionGates(deps.networks).endObservation(session);
  return await book.change(id, { observed: false });
};

/** Replacements that are asked for or under way, by session, so that whoever stops or deletes one need not wait for its new image. */
const createGivingUp = () => {
  const wanted = new Map<string, Set<AbortController>>();
  return {
    run: async <T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      const abort = new AbortController();
      const ofSession = wanted.get(id) ?? new Set();
      wanted.set(id, ofSession.add(abort));
      try {
        return await work(abort.signal);
      } finally {
        ofSession.delete(abort);
        if (ofSession.size === 0) wanted.delete(id);
      }
    },
    all: (id: string): void => {
      const why = new SandlotError('cancelled', 'the session was stopped or deleted meanwhile.');
      for (const abort of wanted.get(id) ?? []) abort.abort(why);
    },
  };
};

/** Makes the changes of state. `isBusy`: one is under way, so what the runtime says of the container meanwhile is no news. */
export const createSessionState = (deps: SessionDeps, book: SessionBook, launches: Launches) => {
  const replace = createReplace(deps, book, launches.carry);
  const replacements = createGivingUp();
  const underway = new Map<string, Promise<unknown>>();
  const inTurn = <T>(id: string, run: () => Promise<T>): Promise<T> => {
    const before = underway.get(id) ?? launches.launched(id);
    const turn = before.catch(() => undefined).then(run);
    const over = turn.catch(() => undefined).then(() => void (underway.get(id) === over && underway.delete(id)));
    underway.set(id, over);
    return turn;
  };
  /** Gives up the launch or the replacement that is under way, before its turn comes to something that ends it. */
  const abandon = async (id: string): Promise<void> => {
    replacements.all(id);
    await launches.abandon(id);
  };
  return {
    isBusy: (id: string): boolean => underway.has(id),
    inTurn,
    abandon,
    /** For whoever has the turn. */
    stopNow: (id: string): Promise<Session> => stop(deps, book, id),
    /** Removes it when it is still what the caller saw, and does nothing otherwise. @throws not_found */
    removeIf: (id: string, still: (now: Session) => boolean): Promise<void> =>
      inTurn(id, async () => {
        if (still(await book.get(id))) await remove(deps, book, id);
      }),
    calls: {
      /** `message`: why, where nobody asked for it. */
      stop: (id: string, message?: string) => {
        replacements.all(id);
        return inTurn(id, () => stop(deps, book, id, message));
      },
      resume: (id: string) => inTurn(id, () => resume(deps, book, id)),
      restart: (id: string) =>
        inTurn(id, async () => {
          await stop(deps, book, id);
          return await resume(deps, book, id);
        }),
      endObservation: (id: string) => inTurn(id, () => endObservation(deps, book, id)),
      replace: (id: string, plan: LaunchPlan) =>
        replacements.run(id, (signal) =>
          inTurn(id, async () => {
            await endWithoutWorkspace(deps, book, await book.get(id));
            return await replace(id, plan, signal);
          }),
        ),
      remove: async (id: string): Promise<void> => {
        await book.get(id);
        await abandon(id);
        await inTurn(id, () => remove(deps, book, id));
      },
    },
  };
};
