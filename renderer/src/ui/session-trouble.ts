// What is wrong with a session that goes on all the same, or why it does not. Pure.
import type { Session } from '../../../sandbox-engine/contract/model.ts';

/** Its message, else that its start script failed; null when there is nothing to say. */
export const sessionTrouble = ({ message, status, start_script: start }: Session): string | null => {
  if (message !== null || status !== 'running' || start.status !== 'failed') return message;
  return `The start script failed${start.exit_code === null ? '' : ` with code ${start.exit_code}`}.`;
};
