import { describe, expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { cutSteps } from '../../../sandbox-engine/session/recover-launch.ts';
import { deleteAt, isDue } from '../../../sandbox-engine/session/retention.ts';

const stoppedAt = '2026-11-29T12:00:00.000Z';
const dayLater = '2026-11-30T12:00:00.000Z';
const day = 86_400;
const aSession = (over: Partial<Session> = {}) => ({ status: 'stopped', stopped_at: stoppedAt, ...over }) as Session;

describe('when a session goes by itself', () => {
  test.each<[string, Partial<Session>, number | null, string | null]>([
    ['a stopped one after its time', {}, day, dayLater],
    ['one that runs never', { status: 'running', stopped_at: null }, day, null],
    ['one of an environment that keeps for good never', {}, 0, null],
    ['one that a person keeps never', { keep_forever: true, delete_at: dayLater }, day, null],
    ['one whose environment is gone as was said last', { delete_at: dayLater }, null, dayLater],
    ['a deleted one when undoing ends', { deleted_at: stoppedAt, delete_at: '2026-11-29T12:10:00.000Z' }, day, '2026-11-29T12:10:00.000Z'],
    ['a deleted one even if it was kept', { deleted_at: stoppedAt, delete_at: dayLater, keep_forever: true }, 0, dayLater],
  ])('%s', (_name, over, seconds, at) => expect(deleteAt(aSession(over), seconds)).toBe(at));
});

describe('what is taken away now', () => {
  const now = Date.parse(dayLater);
  test.each<[string, Partial<Session>, number, boolean, boolean]>([
    ['what is due, by a host that is awake for a while', { delete_at: dayLater }, now, true, true],
    ['nothing a moment before', { delete_at: dayLater }, now - 1, true, false],
    ['nothing by a host that has just begun or woken', { delete_at: dayLater }, now, false, false],
    ['what a person deleted, whenever the host woke', { delete_at: dayLater, deleted_at: stoppedAt }, now, false, true],
    [
      'what went by itself, by a host that is awake',
      { delete_at: dayLater, deleted_at: stoppedAt, deleted_by_itself: true },
      now,
      true,
      true,
    ],
    [
      'nothing that went by itself, by one that has just woken',
      { delete_at: dayLater, deleted_at: stoppedAt, deleted_by_itself: true },
      now,
      false,
      false,
    ],
    ['nothing without a date', {}, now, true, false],
    ['nothing that runs, whatever is still written of it', { status: 'running', delete_at: dayLater }, now, true, false],
    ['nothing that a person keeps', { delete_at: dayLater, keep_forever: true }, now, true, false],
    ['what a person deleted, whatever became of it', { status: 'failed', delete_at: dayLater, deleted_at: stoppedAt }, now, false, true],
  ])('%s', (_name, over, at, isAwake, isTaken) => expect(isDue(aSession(over), at, isAwake)).toBe(isTaken));
});

describe('a launch that was cut off', () => {
  const step = (name: string, status: 'running' | 'succeeded' | 'failed') => ({ name, status, started_at: stoppedAt, duration_ms: null });
  test('names the step, and says that nothing is left', () => {
    const cut = cutSteps({ status: 'starting', steps: [step('gate', 'succeeded'), step('create', 'running')] });
    expect(cut).toEqual({
      steps: [step('gate', 'succeeded'), step('create', 'failed')],
      message: 'Sandlot ended while this session was starting, in the step "create". Nothing of it is left: launch it again.',
    });
  });
  test('says what may be missing where the sandbox runs', () => {
    const cut = cutSteps({ status: 'running', steps: [step('repository', 'running'), step('knowledge and skills', 'running')] });
    expect(cut?.message).toMatch(/in the steps "repository", "knowledge and skills": what belongs to that may be missing/);
  });
  test('is none when all steps are over', () => expect(cutSteps({ status: 'running', steps: [step('start', 'succeeded')] })).toBeNull());
});
