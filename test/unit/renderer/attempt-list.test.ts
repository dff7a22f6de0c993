// The network log as a window holds it, its small chart, and how a rule is spoken of.
import { expect, test } from 'vitest';
import { timeBars } from '../../../renderer/src/egress/time-bars.ts';
import { type AttemptList, addNew, addPage, isAsked } from '../../../renderer/src/store/attempt-list.ts';
import { placeText, ruleText } from '../../../renderer/src/ui/rule-text.ts';
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';

const attempt = (id: number, fields: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  ...{
    id: `att_${id}`,
    at: '2026-11-29T10:00:00.000Z',
    sandbox_id: 'ses_1',
    environment_id: 'env_1',
    session_id: 'ses_1',
    setup_run_id: null,
  },
  ...{ host: 'a.example', port: 443, protocol: 'tls', mode: 'explicit', verdict: 'allowed', reason: 'allowed', rule: 0, detail: null },
  ...{ policy_revision: 1, bytes_sent: 0, bytes_received: 0, duration_ms: null, count: 1, cause: null, sentence: '' },
  ...fields,
});

const list = (...ids: number[]): AttemptList => ({ attempts: ids.map((id) => attempt(id)), cursor: '7', older: 0 });
const idsOf = ({ attempts }: AttemptList) => attempts.map(({ id }) => Number(id.slice(4)));

test('what comes stands first, in the order it came, and one that is known is replaced where it stands', () => {
  const after = addNew(list(3, 2, 1), [attempt(4), attempt(2, { duration_ms: 9 }), attempt(5)]);
  expect(idsOf(after)).toEqual([5, 4, 3, 2, 1]);
  expect(after.attempts[3]?.duration_ms).toBe(9);
});

test('an older page is added once, however much of it is known, and a full list asks for no more', () => {
  const page = { attempts: [attempt(2), attempt(1), attempt(0)], next_after: '3', older: 4 };
  expect(addPage(list(3, 2), page)).toMatchObject({ cursor: '3', older: 4 });
  expect(idsOf(addPage(list(3, 2), page))).toEqual([3, 2, 1, 0]);
  const full = addPage(list(...Array.from({ length: 9_999 }, (_, index) => index + 10)), page);
  expect([full.attempts.length, full.cursor]).toEqual([10_000, null]);
});

test.each([
  [{}, true],
  [{ environment_id: 'env_2' }, false],
  [{ session_id: 'ses_1', verdict: 'allowed' as const }, true],
  [{ setup_run_id: 'run_1' }, false],
  [{ verdict: 'blocked' as const }, false],
  [{ verdict: 'failed' as const }, false],
  [{ text: 'A.EX' }, true],
  [{ text: ':80' }, false],
  [{ text: '' }, true],
])('%j asks for it: %s', (query, expected) => {
  expect(isAsked(attempt(1), query)).toBe(expected);
});

test('what was not found is asked for as failed, and not as blocked', () => {
  const gone = attempt(1, { verdict: 'blocked', reason: 'resolve_failed' });
  expect((['blocked', 'failed'] as const).map((verdict) => isAsked(gone, { verdict }))).toEqual([false, true]);
});

test('bars lie on round times, hold every attempt, and are at most as many as asked for', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 29, 10) + seconds * 1_000).toISOString();
  const tried = [
    { at: at(0), verdict: 'allowed' as const, reason: 'allowed' as const, count: 2 },
    { at: at(59), verdict: 'blocked' as const, reason: 'no_rule' as const, count: 1 },
    { at: at(61), verdict: 'blocked' as const, reason: 'no_rule' as const, count: 3 },
    { at: at(61), verdict: 'blocked' as const, reason: 'resolve_failed' as const, count: 2 },
  ];
  const found = timeBars(tried, 10);
  expect([found?.stepMs, found?.most]).toEqual([15_000, 5]);
  // A short time ends at the right; what was before it is empty.
  const before = Array.from({ length: 5 }, () => '0/0/0');
  expect(found?.bars.map(({ allowed, blocked, failed }) => `${allowed}/${blocked}/${failed}`)).toEqual([
    ...before,
    ...['2/0/0', '0/0/0', '0/0/0', '0/1/0', '0/3/2'],
  ]);
  expect(timeBars([], 10)).toBeNull();
  expect(timeBars([{ at: at(0), verdict: 'allowed', reason: 'allowed', count: 1 }], 10)?.bars.length).toBe(10);
});

test('a rule and its place are said in words', () => {
  const rule = { action: 'allow' as const, hosts: ['a.example'], ports: [22], protocol: 'tcp' as const, allow_private: true };
  expect(ruleText(rule)).toBe('allow a.example · port 22 · bytes not looked at · private addresses too');
  expect(ruleText({ action: 'deny', hosts: ['b.example'] })).toBe('deny b.example · every port');
  expect(ruleText({ action: 'allow', presets: ['github'] })).toBe('allow preset github');
  expect(placeText({ version: 'v1', rules: [rule] }, 1)).toBe('as rule 2, the last');
  expect(placeText({ version: 'v1', rules: [{ action: 'deny', hosts: ['b.example'] }] }, 0)).toContain('before “deny b.example');
});
