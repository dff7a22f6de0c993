// Setup runs of all environments: who may start, what is under way, cancelling, waiting, logs, and what a restarted host finds.
// What happens inside of one run is in one-run.ts.
import { SandlotError } from '../base/errors.ts';
import { bodyDigest } from '../base/idempotency.ts';
import { labelKeys } from '../container/labels.ts';
import type { Environment, SetupRun } from '../contract/model.ts';
import { type LogPage, readLinePage, waitForLines } from '../stream/line-page.ts';
import { runOnce } from './one-run.ts';
import { compareRuns, type ParityReport } from './parity.ts';
import { createRunBook, type RunBook } from './run-book.ts';
import { setupNetwork } from './setup-container.ts';
import type { SetupRunsDeps } from './setup-deps.ts';

export type { SetupRunsDeps } from './setup-deps.ts';

const mostManualRuns = 4;
const longestWaitSeconds = 5;

export interface SetupRuns {
  /** Queues a run and answers it at once. @throws invalid_request without a script @throws setup_run_in_progress @throws too_many_setup_runs */
  start: (environment: Environment, options: { idempotencyKey?: string; kind: SetupRun['kind'] }) => Promise<SetupRun>;
  /** Waits at most 5 seconds for its end. @throws not_found */
  get: (id: string, waitSeconds: number) => Promise<SetupRun>;
  /** Newest first. */
  list: (environmentId: string, limit: number) => Promise<SetupRun[]>;
  /** Answers when its compute is released. @throws setup_run_finished @throws invalid_request for a session's run */
  cancel: (id: string) => Promise<SetupRun>;
  logs: (id: string, page: { after: number; limit: number; waitSeconds: number }) => Promise<LogPage & { status: SetupRun['status'] }>;
  /** Ends what a host that died left behind. */
  recover: () => Promise<void>;
  waitFor: (id: string) => Promise<SetupRun>;
  parity: (environment: Environment, runtimeIds: string[]) => Promise<ParityReport>;
  /** Cancels what is under way and waits for its end. */
  close: () => Promise<void>;
}

interface Active {
  id: string;
  kind: SetupRun['kind'];
  abort: AbortController;
  book: RunBook | null;
  done: Promise<void>;
}

const isFinished = ({ status }: SetupRun): boolean => status === 'succeeded' || status === 'failed' || status === 'cancelled';

const wait = async (done: Promise<void>, seconds: number): Promise<void> => {
  if (seconds <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(seconds, longestWaitSeconds) * 1000);
  });
  await Promise.race([done, time]);
  clearTimeout(timer);
};

/** Makes the setup runs of one host. */
export const createSetupRuns = (deps: SetupRunsDeps): SetupRuns => {
  const { store, clock, newId, registry } = deps;
  /** By lane: the environment, for a parity run with its runtime. Taken before anything is awaited, so that two starts never both pass. */
  const active = new Map<string, Active>();

  const activeRun = (id: string): Active | undefined => [...active.values()].find((one) => one.id === id);

  const find = async (id: string): Promise<SetupRun> => {
    const run = activeRun(id)?.book?.now() ?? (await store.find(id));
    if (run === null)
      throw new SandlotError('not_found', `There is no setup run "${id}".`, {
        nextAction: 'List them with: sandlot setup list ENVIRONMENT',
      });
    return run;
  };

  const assertFree = (lane: string, kind: SetupRun['kind']): void => {
    const there = active.get(lane);
    if (there !== undefined) {
      throw new SandlotError('setup_run_in_progress', `Setup run ${there.id} of this environment is under way.`, {
        details: { setup_run_id: there.id },
        nextAction: `Wait for it (sandlot setup logs ${there.id} --follow) or cancel it (sandlot setup cancel ${there.id}).`,
      });
    }
    const manual = [...active.values()].filter((one) => one.kind === 'manual');
    if (kind !== 'manual' || manual.length < mostManualRuns) return;
    throw new SandlotError('too_many_setup_runs', `${mostManualRuns} setup runs are under way; no more are started at a time.`, {
      details: { setup_run_ids: manual.map(({ id }) => id) },
      nextAction: 'Wait for one of them, or cancel one.',
    });
  };

  const firstRecord = async (environment: Environment, id: string, kind: SetupRun['kind']): Promise<SetupRun> => ({
    ...{ id, environment_id: environment.id, kind, session_id: null, status: 'queued', phase: 'provision', phases: [] },
    ...{ script: environment.setup?.script ?? '', timeout_seconds: environment.setup?.timeout_seconds ?? 600 },
    verdict_key: await deps.keyFor(environment),
    ...{ exit_code: null, failed_line: null, failed_command: null, stderr_tail: '', hint: null, hint_code: null },
    ...{ failure_code: null, next_action: null, line_times: [], truncated: false, stream_id: newId('str') },
    ...{ prepared_image_id: null, prepared_image_size: null, runtime: environment.runtime },
    ...{ created_at: clock.iso(), started_at: null, finished_at: null },
  });

  const launch = async (
    environment: Environment,
    kind: SetupRun['kind'],
    lane: string,
    onSaved: (id: string) => Promise<void>,
  ): Promise<Active> => {
    assertFree(lane, kind);
    let finished: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const mine: Active = { id: newId('run'), kind, abort: new AbortController(), book: null, done };
    active.set(lane, mine);
    const release = (): void => {
      active.delete(lane);
      finished();
    };
    try {
      const run = await firstRecord(environment, mine.id, kind);
      await store.save(run);
      await onSaved(run.id);
      mine.book = createRunBook(run, store, clock, deps.emit);
      deps.emit(run);
      const keepImage = kind !== 'session';
      runOnce({ deps, environment, book: mine.book, signal: mine.abort.signal, keepImage })
        .catch((thrown: unknown) => mine.book?.change({ ...broken(thrown), finished_at: clock.iso() }))
        .catch(() => undefined)
        .finally(() => {
          release();
          if (mine.book !== null) deps.emit(mine.book.now());
        });
      return mine;
    } catch (thrown) {
      release();
      throw thrown;
    }
  };

  const start: SetupRuns['start'] = async (environment, { idempotencyKey, kind }) => {
    if (environment.setup === null || environment.setup.script === '')
      throw new SandlotError('invalid_request', 'This environment has no setup script, so there is nothing to run.', {
        nextAction: 'Write a setup script first.',
      });
    setupNetwork(environment.network_policy);
    const [scope, digest] = ['setup_runs.create', bodyDigest({ environment_id: environment.id })];
    const replay = async (): Promise<SetupRun | null> => {
      const known = idempotencyKey === undefined ? null : await registry.environments.findByIdempotencyKey(scope, idempotencyKey, digest);
      return known === null ? null : await find(known);
    };
    // Before the lane is asked for, since the same key must answer its run even while that one is under way.
    const before = await replay();
    if (before !== null) return before;
    const pending = idempotencyKey === undefined ? undefined : starting.get(idempotencyKey);
    if (pending !== undefined) return await pending;
    const launched = launch(environment, kind, environment.id, async (id) => {
      if (idempotencyKey !== undefined) await registry.environments.rememberIdempotencyKey(scope, idempotencyKey, digest, id);
    }).then((mine) => find(mine.id));
    if (idempotencyKey === undefined) return await launched;
    starting.set(idempotencyKey, launched);
    try {
      return await launched;
    } finally {
      starting.delete(idempotencyKey);
    }
  };
  const starting = new Map<string, Promise<SetupRun>>();

  const cancel: SetupRuns['cancel'] = async (id) => {
    const run = await find(id);
    if (isFinished(run)) throw new SandlotError('setup_run_finished', `Setup run ${id} has ended: ${run.status}.`);
    if (run.kind === 'session')
      throw new SandlotError('invalid_request', 'A run that belongs to a session ends with it, and is not cancelled by itself.');
    const mine = activeRun(id);
    mine?.abort.abort();
    await mine?.done;
    return await find(id);
  };

  const waitFor: SetupRuns['waitFor'] = async (id) => {
    await activeRun(id)?.done;
    return await find(id);
  };

  const logs: SetupRuns['logs'] = async (id, { after, limit, waitSeconds }) => {
    const run = await find(id);
    const read = (): Promise<LogPage> => readLinePage(deps.streams, run.stream_id, { after, limit });
    const none: LogPage = { lines: [], nextAfter: after, truncated: false };
    const orNone = (thrown: unknown): LogPage => {
      if (thrown instanceof SandlotError && thrown.code === 'not_found') return none;
      throw thrown;
    };
    const page = await read().catch(orNone);
    if (page.lines.length > 0 || waitSeconds <= 0 || isFinished(run)) return { ...page, status: run.status };
    await waitForLines(deps.streams, run.stream_id, after, Math.min(waitSeconds, longestWaitSeconds) * 1000).catch(() => undefined);
    return { ...(await read().catch(orNone)), status: (await find(id)).status };
  };

  const broken = (thrown: unknown): Partial<SetupRun> => ({
    status: 'failed',
    failure_code: 'setup_interrupted',
    hint: thrown instanceof Error ? thrown.message : String(thrown),
    next_action: 'Run setup again.',
  });

  const recoverOne = async (run: SetupRun): Promise<void> => {
    const reason = new Error('The host stopped while this run was under way, so it proves nothing. Its container was removed.');
    try {
      const runtime = await deps.runtimeOf(run.runtime);
      for (const { id } of await runtime.listContainers({ [labelKeys.setupRun]: run.id })) await runtime.removeContainer(id);
    } catch {
      // The runtime is away: what is left there is found by its label and pruned later.
    }
    const ended: SetupRun = { ...run, ...broken(reason), failure_code: 'host_stopped', finished_at: clock.iso() };
    await store.save(ended);
    deps.emit(ended);
  };

  return {
    start,
    get: async (id, waitSeconds) => {
      await find(id);
      await wait(activeRun(id)?.done ?? Promise.resolve(), waitSeconds);
      return await find(id);
    },
    list: (environmentId, limit) => store.listByEnvironment(environmentId, limit),
    cancel,
    logs,
    recover: async () => {
      for (const run of await store.listUnfinished()) if (activeRun(run.id) === undefined) await recoverOne(run);
    },
    waitFor,
    parity: (environment, runtimeIds) =>
      compareRuns(runtimeIds, deps.streams, async (runtime) => {
        const there = { ...environment, runtime };
        const mine = await launch(there, 'session', `${environment.id}@${runtime}`, async () => undefined);
        return await waitFor(mine.id);
      }),
    close: async () => {
      const all = [...active.values()];
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ done }) => done));
    },
  };
};
