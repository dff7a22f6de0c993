import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventQueue } from '../../../renderer/src/store/event-queue.ts';
import { reduceEvents } from '../../../renderer/src/store/reduce.ts';
import { emptyState } from '../../../renderer/src/store/state.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const changed = (seq: number, id: string, archived_at: string | null = null) =>
  ({
    seq,
    name: 'environment.changed',
    payload: { id, revision: 1, archived_at, created_at: `2026-11-01T00:00:0${seq}.000Z` },
  }) as unknown as AppEvent;

test('one event is handed on at once, a flood frame by frame, and all of it before something that must come after', () => {
  const handed: number[][] = [];
  const queue = createEventQueue((events) => handed.push(events.map(({ seq }) => seq)));
  queue.take(changed(1, 'a'));
  for (const seq of [2, 3, 4]) queue.take(changed(seq, 'a'));
  expect(handed).toEqual([[1]]);
  vi.advanceTimersByTime(40);
  queue.take(changed(5, 'a'));
  queue.take(changed(6, 'a'));
  queue.flush();
  expect(handed).toEqual([[1], [2, 3, 4], [5], [6]]);
});

test('several events together leave the same as one by one', () => {
  const start = { ...emptyState, seq: 2 };
  const events = [
    changed(2, 'old'),
    changed(3, 'a'),
    changed(4, 'b'),
    { seq: 5, name: 'environment.removed', payload: { id: 'a' } } as AppEvent,
    changed(6, 'b', '2026-11-01T00:00:00.000Z'),
    changed(7, 'c'),
  ];
  const together = reduceEvents(start, events);
  expect(together).toEqual(events.reduce<typeof together>((state, event) => reduceEvents(state, [event]), start));
  expect([Object.keys(together.environments), together.environmentsTotal, together.seq]).toEqual([['b', 'c'], 1, 7]);
});
