// What a change does to what the setup runs have proven. Pure.
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';

/** What the loss of a verdict means to whoever wants a session. */
export const staleWords = 'Setup must be tested again before a new session can start.';

/** Whether there is a verdict that a change makes stale: a script that was tested, and nothing that was changed since. */
export const hasVerdictToLose = ({ setup, setup_verification: verdict }: Pick<EnvironmentView, 'setup' | 'setup_verification'>): boolean =>
  setup !== null && verdict.last_run !== null && !verdict.stale;
