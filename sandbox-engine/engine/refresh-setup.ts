// Mends a verdict that only the runtime layer made stale: runs the setup again by itself, while the session that needs it waits.
// Source: SPEC.md 5 (Commit: refresh).
import { SandlotError } from '../base/errors.ts';
import type { Environment, EnvironmentView, SetupRun } from '../contract/model.ts';
import type { House } from './house.ts';

/** Whether nothing but the runtime layer changed since the setup was verified. */
export const needsRefresh = ({ setup_verification: verification }: EnvironmentView): boolean =>
  verification.status === 'verified' && verification.stale && verification.stale_fields.every((field) => field === 'runtime_layer');

const startOrJoin = async ({ setupRuns }: Pick<House, 'setupRuns'>, environment: Environment): Promise<string> => {
  try {
    return (await setupRuns.start(environment, { kind: 'refresh' })).id;
  } catch (thrown) {
    const running = thrown instanceof SandlotError && thrown.code === 'setup_run_in_progress' ? thrown.details['setup_run_id'] : null;
    if (typeof running !== 'string') throw thrown;
    return running;
  }
};

const runAgain = async (house: Pick<House, 'setupRuns'>, environment: Environment, onLine: (line: string) => void): Promise<SetupRun> => {
  const id = await startOrJoin(house, environment);
  onLine(`Sandlot's runtime layer changed: the setup runs again (${id})`);
  const run = await house.setupRuns.waitFor(id);
  // One that is observed proves nothing and leaves no image: it is waited for, and then it is our turn.
  return run.observed ? await runAgain(house, environment, onLine) : run;
};

/** Answers the image of a fresh setup run. @throws environment_not_verified when the run did not pass */
export const refreshSetup = async (
  house: Pick<House, 'setupRuns'>,
  environment: Environment,
  onLine: (line: string) => void,
): Promise<string> => {
  const run = await runAgain(house, environment, onLine);
  if (run.status === 'succeeded' && run.prepared_image_id !== null) return run.prepared_image_id;
  throw new SandlotError('environment_not_verified', `The setup had to run again and did not pass: ${run.hint ?? run.status}`, {
    nextAction: `Read its log: sandlot setup logs ${run.id}`,
    details: { setup_run_id: run.id, next_action: 'setup_runs.create' },
  });
};
