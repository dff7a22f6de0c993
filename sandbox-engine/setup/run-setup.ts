// Setup runs of all environments: who may start, what is under way, cancelling, waiting, logs, and what a restarted host finds.
// What happens inside of one run is in one-run.ts.
import { SandlotError } from '../base/errors.ts';
import { bodyDigest } from '../base/idempotency.ts';
import { labelKeys } from '../container/labels.ts';
import type { Environment, SetupRun } from '../contract/model.ts';
import { type LogPage, readLinePage, waitForLines } from '../stream/line-page.ts';
import { sayLine } from './failure-tail.ts';
import { compareRuns, type ParityReport } from './parity.ts';
import { type ActiveRun, brokenRecord, createRunLanes, type RunLanes } from './run-lanes.ts';
import type { SetupRunsDeps } from './setup-deps.ts';

export type { SetupRunsDeps } from './setup-deps.ts';

const longestWaitSeconds = 5;

interface StartOptions {
  idempotencyKey?: string;
  kind: SetupRun['kind'];
  /** Everything public passes, and the run proves nothing. */
  observe?: boolean;
}

export interface SetupRuns {
  /** Queues a run and answers it at once. @throws invalid_request without a script @throws setup_run_in_progress @throws too_many_setup_runs */
  start: (environment: Environment, options: StartOptions) => Promise<SetupRun>;
  /** Waits at most 5 seconds for its end. @throws not_found */
  get: (id: string, waitSeconds: number) => Promise<SetupRun>;
  /** Newest first. */
  list: (environmentId: string, limit: number) => Promise<SetupRun[]>;
  /** Answers when its compute is released. @throws setup_run_finished @throws invalid_request for a session's run */
  cancel: (id: string) => Promise<SetupRun>;
  /** Cancels what is under way of an environment that is no more, and waits for its end. */
  endOf: (environmentId: string) => Promise<void>;
  logs: (id: string, page: { after: number; limit: number; waitSeconds: number }) => Promise<LogPage & { status: SetupRun['status'] }>;
  /** Ends what a host that died left behind. */
  recover: () => Promise<void>;
  waitFor: (id: string) => Promise<SetupRun>;
  parity: (environment: Environment, runtimeIds: string[]) => Promise<ParityReport>;
  /** Cancels what is under way and waits for its end. */
  close: () => Promise<void>;
}

interface Rooms {
  deps: SetupRunsDeps;
  lanes: RunLanes;
  /** Starts under a key that are not saved yet. */
  starting: Map<string, Promise<SetupRun>>;
}

const isFinished = ({ status }: SetupRun): boolean => status === 'succeeded' || status === 'failed' || status === 'cancelled';

const findRun = async ({ deps, lanes }: Rooms, id: string): Promise<SetupRun> => {
  const run = lanes.byId(id)?.book?.now() ?? (await deps.store.find(id));
  if (run !== null) return run;
  throw new SandlotError('not_found', `There is no setup run "${id}".`, {
    nextAction: 'It may have gone with its environment. See which there are: sandlot env list',
  });
};

const waitAtMost = async (done: Promise<void>, seconds: number): Promise<void> => {
  if (seconds <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(seconds, longestWaitSeconds) * 1000);
  });
  await Promise.race([done, time]);
  clearTimeout(timer);
};

const keyScope = 'setup_runs.create';

const startNew = async (
  rooms: Rooms,
  environment: Environment,
  { kind, observe = false }: StartOptions,
  remember?: (id: string) => Promise<void>,
): Promise<SetupRun> => {
  const { id } = await rooms.lanes.launch({
    environment,
    kind,
    observe,
    lane: environment.id,
    ...(remember === undefined ? {} : { onSaved: remember }),
  });
  return await findRun(rooms, id);
};

/** Replays the run of a known key, also while it is under way or not even saved. */
const startWithKey = async (rooms: Rooms, environment: Environment, options: StartOptions, key: string): Promise<SetupRun> => {
  const { environments } = rooms.deps.registry;
  const digest = bodyDigest({ environment_id: environment.id, ...(options.observe === true ? { observe: true } : {}) });
  const known = await environments.findByIdempotencyKey(keyScope, key, digest);
  if (known !== null) return await findRun(rooms, known);
  const pendingKey = `${environment.id} ${key}`;
  const pending = rooms.starting.get(pendingKey);
  if (pending !== undefined) return await pending;
  const started = startNew(rooms, environment, options, (id) => environments.rememberIdempotencyKey(keyScope, key, digest, id));
  rooms.starting.set(pendingKey, started);
  try {
    return await started;
  } finally {
    rooms.starting.delete(pendingKey);
  }
};

const assertHasScript = (environment: Environment): void => {
  if (environment.setup === null || environment.setup.script === '') {
    throw new SandlotError('invalid_request', 'This environment has no setup script, so there is nothing to run.', {
      nextAction: 'Write a setup script first.',
    });
  }
};

const assertObservable = ({ privileged }: Environment): void => {
  if (!privileged) return;
  throw new SandlotError('network_policy_not_supported', 'A privileged sandbox could leave the gate, so its setup cannot be observed.', {
    nextAction: 'Set "privileged: false" while you observe.',
  });
};

const start = async (rooms: Rooms, environment: Environment, options: StartOptions): Promise<SetupRun> => {
  assertHasScript(environment);
  if (options.observe === true) assertObservable(environment);
  const { idempotencyKey: key } = options;
  return key === undefined ? await startNew(rooms, environment, options) : await startWithKey(rooms, environment, options, key);
};

const cancel = async (rooms: Rooms, id: string): Promise<SetupRun> => {
  const run = await findRun(rooms, id);
  if (isFinished(run)) throw new SandlotError('setup_run_finished', `Setup run ${id} has ended: ${run.status}.`);
  if (run.kind === 'session')
    throw new SandlotError('invalid_request', 'A run that belongs to a session ends with it, and is not cancelled by itself.');
  const mine = rooms.lanes.byId(id);
  mine?.abort.abort();
  await mine?.done;
  const ended = await findRun(rooms, id);
  if (ended.status === 'cancelled') return ended;
  throw new SandlotError('setup_run_finished', `Setup run ${id} ended before it could be cancelled: ${ended.status}.`);
};

interface PageRequest {
  after: number;
  limit: number;
  waitSeconds: number;
}

/** A page; empty while the log is not begun. */
const readPage = async ({ deps }: Rooms, streamId: string, { after, limit }: PageRequest): Promise<LogPage> => {
  try {
    const page = await readLinePage(deps.streams, streamId, { after, limit });
    return { ...page, lines: page.lines.map((line) => ({ ...line, text: sayLine(line.text) })) };
  } catch (thrown) {
    if (thrown instanceof SandlotError && thrown.code === 'not_found') return { lines: [], nextAfter: after, truncated: false };
    throw thrown;
  }
};

const logs = async (rooms: Rooms, id: string, page: PageRequest): Promise<LogPage & { status: SetupRun['status'] }> => {
  const run = await findRun(rooms, id);
  const now = await readPage(rooms, run.stream_id, page);
  if (now.lines.length > 0 || page.waitSeconds <= 0 || isFinished(run)) return { ...now, status: run.status };
  const waitMs = Math.min(page.waitSeconds, longestWaitSeconds) * 1000;
  await waitForLines(rooms.deps.streams, run.stream_id, page.after, waitMs).catch(() => undefined);
  const { status } = await findRun(rooms, id);
  return { ...(await readPage(rooms, run.stream_id, page)), status };
};

const recoverOne = async ({ deps }: Rooms, run: SetupRun): Promise<void> => {
  const reason = new Error('The host stopped while this run was under way, so it proves nothing. Its container was removed.');
  try {
    const runtime = await deps.runtimeOf(run.runtime);
    const made = await runtime.listContainers({ [labelKeys.setupRun]: run.id, [labelKeys.role]: 'setup-run' });
    for (const { id } of made) await runtime.removeContainer(id);
    await deps.networks.close({ runtimeId: run.runtime, sandboxId: run.id, kind: 'setup-run' });
    // Half a commit, and one that was whole but never recorded.
    for (const { id, tags } of await runtime.listImages({ [labelKeys.setupRun]: run.id }))
      await runtime.removeImage(tags[0] ?? id, { force: true });
  } catch {
    // The runtime is away: what is left there is found by its label and pruned later.
  }
  // The phase that was under way ended with the host; how long it took nobody saw.
  const phases = run.phases.map((one) => (one.status === 'running' ? { ...one, status: 'failed' as const } : one));
  const ended: SetupRun = {
    ...run,
    ...brokenRecord(reason, deps.redactor.redactText),
    phases,
    failure_code: 'host_stopped',
    finished_at: deps.clock.iso(),
  };
  await deps.store.save(ended);
  deps.emit(ended);
};

const endAll = async (runs: ActiveRun[]): Promise<void> => {
  for (const { abort } of runs) abort.abort();
  await Promise.all(runs.map(({ done }) => done));
};

const waitFor = async (rooms: Rooms, id: string): Promise<SetupRun> => {
  await rooms.lanes.byId(id)?.done;
  return await findRun(rooms, id);
};

const runOn = async (rooms: Rooms, environment: Environment, runtime: string): Promise<SetupRun> => {
  const request = {
    environment: { ...environment, runtime },
    kind: 'session',
    observe: false,
    lane: `${environment.id}@${runtime}`,
  } as const;
  return await waitFor(rooms, (await rooms.lanes.launch(request)).id);
};

/** Makes the setup runs of one host. */
export const createSetupRuns = (deps: SetupRunsDeps): SetupRuns => {
  const rooms: Rooms = { deps, lanes: createRunLanes(deps), starting: new Map() };
  return {
    start: (environment, options) => start(rooms, environment, options),
    get: async (id, waitSeconds) => {
      await findRun(rooms, id);
      await waitAtMost(rooms.lanes.byId(id)?.done ?? Promise.resolve(), waitSeconds);
      return await findRun(rooms, id);
    },
    list: (environmentId, limit) => deps.store.listByEnvironment(environmentId, limit),
    cancel: (id) => cancel(rooms, id),
    logs: (id, page) => logs(rooms, id, page),
    recover: async () => {
      for (const run of await deps.store.listUnfinished()) if (rooms.lanes.byId(run.id) === undefined) await recoverOne(rooms, run);
    },
    waitFor: (id) => waitFor(rooms, id),
    parity: async (environment, runtimeIds) => {
      assertHasScript(environment);
      return await compareRuns(runtimeIds, deps.streams, (runtime) => runOn(rooms, environment, runtime));
    },
    // A session's run ends with its session.
    endOf: (environmentId) =>
      endAll(rooms.lanes.all().filter(({ kind, book }) => kind !== 'session' && book?.now().environment_id === environmentId)),
    close: () => endAll(rooms.lanes.all()),
  };
};
