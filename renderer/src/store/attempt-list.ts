// The network log as a window holds it: pages from the host, joined with what came since. Pure.
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { outcomeOf } from './egress-outcome.ts';

/** Whose attempts are shown, and which of them. */
export type EgressQuery = Pick<CallInput<'egress.log'>, 'environment_id' | 'session_id' | 'setup_run_id' | 'verdict' | 'text'>;

export interface AttemptList {
  /** Newest first. */
  attempts: readonly LoggedAttempt[];
  cursor: string | null;
  older: number;
}

/** Beyond this the oldest are let go; the host still has them. */
const most = 10_000;

/** Whether an attempt that just came is one of those that are asked for. */
export const isAsked = (attempt: LoggedAttempt, query: EgressQuery): boolean =>
  (query.environment_id ?? attempt.environment_id) === attempt.environment_id &&
  (query.session_id ?? query.setup_run_id ?? attempt.sandbox_id) === attempt.sandbox_id &&
  (query.verdict === undefined || query.verdict === outcomeOf(attempt)) &&
  (!query.text || `${attempt.host ?? ''}:${attempt.port ?? ''}`.includes(query.text.toLowerCase()));

/** The list with what just came; one that is known by its id is the same one, later, and keeps its place. */
export const addNew = (list: AttemptList, came: readonly LoggedAttempt[]): AttemptList => {
  const later = new Map(came.map((attempt) => [attempt.id, attempt]));
  const known = list.attempts.map((attempt) => {
    const now = later.get(attempt.id);
    later.delete(attempt.id);
    return now ?? attempt;
  });
  return { ...list, attempts: [...[...later.values()].reverse(), ...known].slice(0, most) };
};

/** The list with an older page behind it. */
export const addPage = (list: AttemptList | null, page: CallOutput<'egress.log'>): AttemptList => {
  const known = new Set(list?.attempts.map(({ id }) => id));
  const attempts = [...(list?.attempts ?? []), ...page.attempts.filter(({ id }) => !known.has(id))];
  return { attempts: attempts.slice(0, most), cursor: attempts.length < most ? page.next_after : null, older: page.older };
};
