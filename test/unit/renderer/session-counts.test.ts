// What is counted of sessions and of what they were kept from.
import { expect, test } from 'vitest';
import { countText } from '../../../renderer/src/sessions/count-text.ts';
import { stillBlocked } from '../../../renderer/src/store/egress-outcome.ts';
import type { ContactedDestination, Session } from '../../../sandbox-engine/contract/model.ts';

const of = (status: string, deleted_at: string | null = null) => ({ status, deleted_at }) as Session;

test('a deleted session that can be undone is counted as deleted, and runs no more', () => {
  expect(countText([of('running'), of('stopped'), of('running', '2026-12-01T00:00:00.000Z')], false)).toBe(
    '2 sessions, 1 running, 1 deleted',
  );
  expect(countText([of('starting')], true)).toBe('1 session and more, 1 running');
});

test('a destination is still blocked when its last attempt was, and not when it was allowed since or did not answer', () => {
  const last = (host: string, last_verdict: string, last_reason: string) => ({ host, last_verdict, last_reason }) as ContactedDestination;
  const destinations = [last('a', 'blocked', 'no_rule'), last('b', 'allowed', 'rule'), last('c', 'blocked', 'upstream_failed')];
  expect(stillBlocked({ destinations }).map(({ host }) => host)).toEqual(['a']);
});
