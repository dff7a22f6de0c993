// Snapshot, then events: what the window shows after a start, a reload and a reconnect.
import { expect, test } from 'vitest';
import { absorb } from '../../../renderer/src/store/absorb.ts';
import { reduceEvent, reduceLink, reduceSnapshot } from '../../../renderer/src/store/reduce.ts';
import { emptyState, type Snapshot, type State } from '../../../renderer/src/store/state.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';

const session = (id: string, status: Session['status']): Session => ({ id, status }) as Session;
const changed = (seq: number, id: string, status: Session['status']): AppEvent => ({
  seq,
  name: 'session.changed',
  payload: session(id, status),
});
const snapshot = (seq: number, sessions: Session[]): Snapshot =>
  ({
    seq,
    version: '1',
    data_folder: '/d',
    command_line: '/s/bin/sandlot',
    registry: { status: 'ok', message: '', kept_aside: null, backups: [] },
    runtimes: [],
    environments: [],
    environments_total: 0,
    sessions,
    terminals: [],
    builds: [],
    setup_runs: [],
    bases: [],
    agents: [],
  }) as Snapshot;
const statuses = (state: State) => Object.values(state.sessions).map((known) => `${known.id} ${known.status}`);

test('an event that the snapshot already holds is dropped', () => {
  const state = reduceSnapshot(emptyState, snapshot(5, [session('a', 'running')]));
  expect(statuses(reduceEvent(state, changed(5, 'a', 'starting')))).toEqual(['a running']);
});

test('an event newer than the snapshot replaces the noun', () => {
  const state = reduceSnapshot(emptyState, snapshot(5, [session('a', 'running')]));
  expect(statuses(reduceEvent(state, changed(6, 'a', 'stopped')))).toEqual(['a stopped']);
});

test('events that came before their snapshot are played after it, without the older ones', () => {
  const early = [changed(4, 'a', 'starting'), changed(6, 'b', 'starting')].reduce(reduceEvent, emptyState);
  const state = reduceSnapshot(early, snapshot(5, [session('a', 'running')]));
  expect({ shown: statuses(state), seq: state.seq, early: state.early }).toEqual({ shown: ['a running', 'b starting'], seq: 6, early: [] });
});

test('after a reconnect to a host that counts from one again, its events are not taken for old ones', () => {
  const before = reduceSnapshot(emptyState, snapshot(900, [session('a', 'running'), session('gone', 'running')]));
  const again = reduceEvent(reduceLink(reduceLink(before, 'lost'), 'open'), changed(3, 'a', 'stopped'));
  expect(statuses(reduceSnapshot(again, snapshot(2, [session('a', 'running')])))).toEqual(['a stopped']);
});

test('unsaved edits outlive a reconnect', () => {
  const drafts = { env_1: { revision: 1, patch: { name: 'new' } } };
  const state = reduceSnapshot(reduceLink({ ...emptyState, drafts }, 'open'), snapshot(1, []));
  expect(state.drafts).toEqual(drafts);
});

test('the number of environments is right whether the answer or the event of a call comes first, and without the archived', () => {
  const environment = (id: string, revision: number, archived_at: string | null = null) =>
    ({ id, revision, archived_at, created_at: `2026-01-0${id.charCodeAt(0) - 96}T00:00:00Z` }) as EnvironmentView;
  const told = (seq: number, payload: EnvironmentView): AppEvent => ({ seq, name: 'environment.changed', payload });
  const begun = reduceSnapshot(emptyState, snapshot(0, []));
  const answerFirst = reduceEvent(absorb(begun, 'environments.create', environment('a', 1)), told(1, environment('a', 1)));
  const eventFirst = absorb(reduceEvent(answerFirst, told(2, environment('b', 1))), 'environments.create', environment('b', 1));
  const archived = reduceEvent(eventFirst, told(3, environment('a', 2, '2026-01-01T00:00:00Z')));
  const removed = reduceEvent(archived, { seq: 4, name: 'environment.removed', payload: { id: 'a' } });
  const back = reduceEvent(archived, told(4, environment('a', 3)));
  // One of those that the snapshot counted and did not bring: its image was removed, say.
  const few = { ...snapshot(0, []), environments: [environment('c', 1)], environments_total: 900 };
  const older = reduceEvent(reduceSnapshot(emptyState, few), told(1, environment('b', 1)));
  const younger = reduceEvent(older, told(2, environment('d', 1)));
  expect([answerFirst, eventFirst, archived, removed, back].map(({ environmentsTotal }) => environmentsTotal)).toEqual([1, 2, 1, 1, 2]);
  expect([older.environmentsTotal, younger.environmentsTotal]).toEqual([900, 901]);
});
