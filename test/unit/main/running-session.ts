// A session that runs, as news of it comes to the desktop app.
import type { Session } from '../../../sandbox-engine/contract/model.ts';

/** One whose id ends in a digit, by which it is ordered; `more` is what is different. */
export const runningSession = (id: string, more: Partial<Session> = {}): Session =>
  ({
    id,
    name: id,
    environment_id: 'env_a',
    environment_name: 'shop',
    status: 'running',
    created_at: `2026-01-0${id.at(-1)}`,
    ...more,
  }) as Session;
