// The record of one setup run while it runs: every change is saved and told; phases are timed.
import type { Clock } from '../base/clock.ts';
import type { SetupRun } from '../contract/model.ts';
import type { SetupRunStore } from '../registry/registry.ts';

export type Phase = SetupRun['phase'];
export type PhaseStatus = SetupRun['phases'][number]['status'];

/** What a run does in each phase, for its log. */
export const phaseWords: Record<Phase, string> = {
  ...{ provision: 'Making the sandbox.', gpu_check: 'Looking for the GPU.', setup: 'Running the script.' },
  ...{ profile: 'Looking at the result.', commit: 'Saving the image.', cleanup: 'Cleaning up.' },
};

export interface RunBook {
  now: () => SetupRun;
  change: (part: Partial<SetupRun>) => Promise<void>;
  begin: (phase: Phase) => Promise<void>;
  /** Ends the phase that is under way. */
  finish: (status: PhaseStatus) => Promise<void>;
  skip: (phase: Phase) => Promise<void>;
}

/** Makes the record of a run that is saved already. */
export const createRunBook = (
  first: SetupRun,
  store: Pick<SetupRunStore, 'save'>,
  clock: Clock,
  emit: (run: SetupRun) => void,
): RunBook => {
  let run = first;
  let since = 0;
  const change = async (part: Partial<SetupRun>): Promise<void> => {
    run = { ...run, ...part };
    await store.save(run);
    emit(run);
  };
  return {
    now: () => run,
    change,
    begin: (phase) => {
      since = clock.monotonic();
      return change({ phase, phases: [...run.phases, { phase, started_at: clock.iso(), duration_ms: null, status: 'running' }] });
    },
    finish: async (status) => {
      const last = run.phases.at(-1);
      if (last === undefined || last.status !== 'running') return;
      const duration = Math.round((clock.monotonic() - since) * 10) / 10;
      await change({ phases: [...run.phases.slice(0, -1), { ...last, duration_ms: duration, status }] });
    },
    skip: (phase) => change({ phases: [...run.phases, { phase, started_at: clock.iso(), duration_ms: 0, status: 'skipped' }] }),
  };
};
