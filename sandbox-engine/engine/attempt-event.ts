// What a sandbox tried to reach, as a line of its session's tape. Pure.
import type { KeptAttempt, TapeEvent } from '../contract/model.ts';
import { explainAttempt } from '../egress/explain.ts';
import { compilePolicy } from '../egress/policy.ts';

const noPolicy = compilePolicy({ version: 'v1', rules: [] }, {});

/** Not everything that failed was forbidden. */
const whatHappened = ({ verdict, reason }: KeptAttempt): string => {
  if (verdict === 'allowed') return 'Reached';
  return reason === 'resolve_failed' || reason === 'upstream_failed' ? 'Could not reach' : 'Blocked';
};

/** What named no host is told by what was wrong with it. */
const labelOf = (attempt: KeptAttempt): string => {
  const { host, port } = attempt;
  if (host === null) return explainAttempt(noPolicy, attempt).replace(/\.$/, '');
  return `${whatHappened(attempt)} ${host}${port === null ? '' : `:${port}`}`;
};

/** The line, with the terminal that made the attempt where it is known. */
export const attemptEvent = (attempt: KeptAttempt): TapeEvent => ({
  ...{ at: attempt.at, kind: 'egress', tone: attempt.verdict === 'allowed' ? 'ok' : 'bad' },
  label: `${labelOf(attempt)}${attempt.count > 1 ? ` (${attempt.count} times)` : ''}`,
  ...(attempt.cause?.kind === 'terminal' ? { terminal_id: attempt.cause.terminal_id } : {}),
});
