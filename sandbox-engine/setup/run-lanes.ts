// Who may run: one run a lane (an environment; for a parity run, an environment on a runtime), four by hand in all.
// A lane is taken before anything is awaited, so that two starts in one millisecond never both pass.
import { SandlotError } from '../base/errors.ts';
import type { Environment, SetupRun } from '../contract/model.ts';
import { runOnce } from './one-run.ts';
import { createRunBook, type RunBook } from './run-book.ts';
import type { SetupRunsDeps } from './setup-deps.ts';

const mostManualRuns = 4;

export interface ActiveRun {
  id: string;
  kind: SetupRun['kind'];
  abort: AbortController;
  book: RunBook | null;
  /** Resolves when its lane is free again. */
  done: Promise<void>;
}

export interface LaunchRequest {
  environment: Environment;
  kind: SetupRun['kind'];
  observe: boolean;
  lane: string;
  /** Called when the record is saved and before the run begins. */
  onSaved?: (id: string) => Promise<void>;
}

export interface RunLanes {
  all: () => ActiveRun[];
  byId: (id: string) => ActiveRun | undefined;
  /** @throws setup_run_in_progress @throws too_many_setup_runs */
  launch: (request: LaunchRequest) => Promise<ActiveRun>;
}

/** What a record says when its run broke in a way no phase knows. */
export const brokenRecord = (thrown: unknown, redactText: (text: string) => string): Partial<SetupRun> => ({
  status: 'failed',
  failure_code: 'setup_interrupted',
  hint: redactText(thrown instanceof Error ? thrown.message : String(thrown)),
  next_action: 'Test setup again.',
});

const assertFree = (active: Map<string, ActiveRun>, { lane, kind }: LaunchRequest): void => {
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

const firstRecord = async (deps: SetupRunsDeps, { environment, kind, observe }: LaunchRequest, id: string): Promise<SetupRun> => ({
  ...{ id, environment_id: environment.id, kind, observed: observe, session_id: null, status: 'queued', phase: 'provision', phases: [] },
  ...{ script: environment.setup?.script ?? '', timeout_seconds: environment.setup?.timeout_seconds ?? 600 },
  verdict_key: await deps.keyFor(environment),
  ...{ exit_code: null, failed_line: null, failed_command: null, stderr_tail: '', hint: null, hint_code: null },
  ...{ failure_code: null, next_action: null, line_times: [], truncated: false, stream_id: deps.newId('str') },
  ...{ prepared_image_id: null, prepared_image_size: null, runtime: environment.runtime },
  ...{ created_at: deps.clock.iso(), started_at: null, finished_at: null },
});

const begin = async (deps: SetupRunsDeps, request: LaunchRequest, mine: ActiveRun, release: () => void): Promise<void> => {
  const run = await firstRecord(deps, request, mine.id);
  await deps.store.save(run);
  await request.onSaved?.(run.id);
  const book = createRunBook(run, deps.store, deps.clock, deps.emit);
  mine.book = book;
  deps.emit(run);
  const keepImage = request.kind !== 'session';
  runOnce({ deps, environment: request.environment, book, signal: mine.abort.signal, keepImage })
    .catch((thrown: unknown) => book.change({ ...brokenRecord(thrown, deps.redactor.redactText), finished_at: deps.clock.iso() }))
    .catch(() => undefined)
    .finally(() => {
      release();
      // Told again: only now is the environment free for the next run.
      deps.emit(book.now());
    });
};

/** Makes the lanes of one host. */
export const createRunLanes = (deps: SetupRunsDeps): RunLanes => {
  const active = new Map<string, ActiveRun>();
  return {
    all: () => [...active.values()],
    byId: (id) => [...active.values()].find((one) => one.id === id),
    launch: async (request) => {
      assertFree(active, request);
      let finished: () => void = () => undefined;
      const done = new Promise<void>((resolve) => {
        finished = resolve;
      });
      const mine: ActiveRun = { id: deps.newId('run'), kind: request.kind, abort: new AbortController(), book: null, done };
      const release = (): void => {
        active.delete(request.lane);
        finished();
      };
      active.set(request.lane, mine);
      try {
        await begin(deps, request, mine, release);
        return mine;
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
  };
};
