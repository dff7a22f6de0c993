// Which terminals of a session are in front: one, or two side by side.
import { expect, test } from 'vitest';
import { isEndedBadly } from '../../../renderer/src/session/TerminalPane.tsx';
import { inOrder, isEarlier, placesOf } from '../../../renderer/src/session/use-terminals.ts';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';

const terminals = ['a', 'b', 'c'].map((id) => ({ id }));

test.each([
  ['the last one when none was picked', {}, { active: 'c', beside: null }],
  ['the one that was picked', { picked: 'a' }, { active: 'a', beside: null }],
  ['two side by side', { picked: 'a', beside: 'c' }, { active: 'a', beside: 'c' }],
  ['the last of the others when the one beside was picked itself', { picked: 'c', beside: 'c' }, { active: 'b', beside: 'c' }],
  ['one alone when the one beside was closed', { picked: 'a', beside: 'gone' }, { active: 'a', beside: null }],
])('%s', (_name, memory, places) => expect(placesOf(terminals, memory)).toEqual(places));

test.each([
  [{ active: 'a', beside: 'c' }, 'acb'],
  [{ active: 'c', beside: 'a' }, 'bca'],
  [{ active: 'b', beside: null }, 'abc'],
])('the tabs of %j stand as what they show', (places, order) =>
  expect(
    inOrder(terminals, places)
      .map(({ id }) => id)
      .join(''),
  ).toBe(order),
);

test('the one beside stands alone when it is the only one left', () =>
  expect(placesOf([{ id: 'c' }], { picked: 'a', beside: 'c' })).toEqual({ active: 'c', beside: null }));

test('with no terminal there is none in front', () =>
  expect(placesOf([], { picked: 'a', beside: 'c' })).toEqual({ active: null, beside: null }));

const terminal = (over: Partial<Terminal>) =>
  ({ status: 'exited', exit_code: 0, created_at: '2026-11-30T10:00:00.000Z', ...over }) as Terminal;
const [before, after] = ['2026-11-30T09:00:00.000Z', '2026-11-30T11:00:00.000Z'];

test.each<[string, Partial<Terminal>, 'running' | 'stopped', string, boolean]>([
  ['that ended before the newest start makes way', { exit_code: 137 }, 'running', after, true],
  ['that ended with its session makes way', { ended_with_session: true }, 'running', before, true],
  ['that ended since stays', { exit_code: 3 }, 'running', before, false],
  ['that runs stays, however old', { status: 'running' }, 'running', after, false],
  ['of an earlier start makes way also while the session is stopped', { ended_with_session: true }, 'stopped', after, true],
  ['of a session that is stopped stays to be read', { ended_with_session: true }, 'stopped', before, false],
])('a terminal %s', (_name, over, status, started_at, makesWay) =>
  expect(isEarlier(terminal(over), { status, started_at })).toBe(makesWay),
);

test.each<[Partial<Terminal>, boolean]>([
  [{ exit_code: 0 }, false],
  [{ exit_code: 3 }, true],
  [{ exit_code: null }, false],
  [{ exit_code: null, ended_with_session: true }, false],
  [{ status: 'lost', exit_code: null }, true],
  [{ status: 'running', exit_code: null }, false],
])('a terminal of %o ended badly: %s', (over, isBad) => expect(isEndedBadly(terminal(over))).toBe(isBad));
