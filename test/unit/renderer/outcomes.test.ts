import { expect, test } from 'vitest';
import { outcomeOf, settledDeletion, settledIdle } from '../../../renderer/src/shell/outcomes.ts';
import { emptyState, type State } from '../../../renderer/src/store/state.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';

const before = {
  ...emptyState,
  environments: { env_1: { name: 'web' } },
  builds: { bld_1: { status: 'running' }, bld_2: { status: 'succeeded' } },
  setupRuns: {
    run_1: { status: 'running', finished_at: null },
    run_2: { status: 'succeeded', finished_at: '2026-11-01T00:00:00.000Z' },
    run_3: { status: 'failed', finished_at: null },
  },
  sessions: {
    ses_1: { status: 'starting' },
    ses_2: { status: 'running', message: null, start_script: { status: 'running', exit_code: null } },
    ses_3: { status: 'stopped', deleted_at: '2026-11-01' },
    ses_5: {
      status: 'running',
      idle_stop_at: '2026-11-01T00:01:00.000Z',
      message: null,
      start_script: { status: 'none', exit_code: null },
    },
    ses_4: { status: 'running', message: 'app was not cloned: 403', start_script: { status: 'none', exit_code: null } },
  },
} as unknown as State;

const event = (name: string, payload: object) => ({ name, payload: { environment_id: 'env_1', ...payload } }) as unknown as AppEvent;
const build = (id: string, status: string) => event('build.changed', { id, status, failed_step: 'Install' });
const run = (id: string, status: string, kind = 'manual') => event('setup_run.changed', { id, status, kind, failed_line: 3 });
const session = (id: string, status: string, more: object = {}) =>
  event('session.changed', { id, status, name: 'web 1', message: null, start_script: { status: 'none', exit_code: null }, ...more });

test.each([
  ['a build that ended well', build('bld_1', 'succeeded'), 'The build of “web” is done.', '/environments/env_1/builds?build=bld_1'],
  ['one that failed', build('bld_1', 'failed'), 'The build of “web” failed at “Install”.', '/environments/env_1/builds?build=bld_1'],
  ['one that was cancelled', build('bld_1', 'cancelled'), undefined, undefined],
  ['one that had ended before', build('bld_2', 'succeeded'), undefined, undefined],
  ['one that nobody knew', build('bld_3', 'succeeded'), undefined, undefined],
  [
    'a setup run that failed',
    run('run_1', 'failed'),
    'The setup of “web” failed at line 3.',
    '/environments/env_1/setup?run=run_1&side=test',
  ],
  ['one that passed', run('run_1', 'succeeded'), 'The setup of “web” passed.', '/environments/env_1/setup?run=run_1&side=test'],
  [
    'one that passed, kept from something',
    event('setup_run.changed', { id: 'run_1', status: 'succeeded', kind: 'manual', blocked_destinations: 2 }),
    'The setup of “web” passed, but 2 destinations were blocked.',
    '/environments/env_1/setup?run=run_1&side=test',
  ],
  ['that of a session', run('run_1', 'failed', 'session'), undefined, undefined],
  ['one that had ended before', run('run_2', 'succeeded'), undefined, undefined],
  ['one that has failed and still cleans up', run('run_3', 'failed'), undefined, undefined],
  ['a session that came up', session('ses_1', 'running'), '“web 1” runs.', '/sessions/ses_1'],
  ['one that did not', session('ses_1', 'failed', { message: 'no image' }), '“web 1” did not start.', '/sessions/ses_1'],
  ['one that ran before', session('ses_2', 'running'), undefined, undefined],
  [
    'one whose start script failed',
    session('ses_2', 'running', { start_script: { status: 'failed', exit_code: 3 } }),
    '“web 1”: The start script failed with code 3.',
    '/sessions/ses_2',
  ],
  [
    'one whose repository did not come',
    session('ses_2', 'running', { message: 'app was not cloned: 403\nSee the network.' }),
    '“web 1”: app was not cloned: 403',
    '/sessions/ses_2',
  ],
  ['one of which that was told', session('ses_4', 'running', { message: 'app was not cloned: 403' }), undefined, undefined],
])('%s', (_what, came, text, href) => {
  const outcome = outcomeOf(before, came, '/');
  expect([outcome?.text, outcome?.href]).toEqual([text, href]);
});

test.each([
  ['was taken back', session('ses_3', 'stopped'), 'ses_3'],
  ['is over', event('session.removed', { id: 'ses_3' }), 'ses_3'],
  ['was told again', event('session.changed', { id: 'ses_3', deleted_at: '2026-11-01' }), null],
  ['never was', session('ses_2', 'running'), null],
])('the offer to undo a deletion that %s is withdrawn: %#', (_what, came, id) => {
  expect(settledDeletion(before, came)).toBe(id);
});

test('nothing is told on the page where it can be seen', () => {
  expect(outcomeOf(before, build('bld_1', 'failed'), '/environments/env_1/builds')).toBeNull();
  expect(outcomeOf(before, build('bld_1', 'failed'), '/environments/env_1/setup')).not.toBeNull();
});

const soon = new Date();
soon.setHours(23, 59, 0, 0);

test('a session in which nothing happens is told of before it is stopped, with the way to keep it, and when it was', () => {
  const warned = outcomeOf(before, session('ses_2', 'running', { idle_stop_at: soon.toISOString() }), '/');
  const text = 'Nothing has happened in “web 1” for a while: it is stopped at 23:59.';
  expect(warned).toEqual({ tone: 'warn', text, href: '/sessions/ses_2', subject: 'ses_2', keeps: 'ses_2' });
  const stopped = session('ses_5', 'stopped', { idle_stop_at: null, message: 'Stopped after 2 minutes without activity.' });
  expect(outcomeOf(before, stopped, '/')).toMatchObject({
    tone: 'warn',
    text: '“web 1”: Stopped after 2 minutes without activity. Its workspace stays.',
  });
});

test.each([
  ['warned already', session('ses_5', 'running', { idle_stop_at: '2026-11-01T00:01:00.000Z' }), null],
  ['stopped by hand meanwhile', session('ses_5', 'stopped', { idle_stop_at: null }), 'ses_5'],
  ['kept running', session('ses_5', 'running', { idle_stop_at: null }), 'ses_5'],
  ['stopped by hand', session('ses_2', 'stopped', { idle_stop_at: null }), null],
])('one that is %s is not told of, and its warning goes where it holds no more', (_what, came, settled) => {
  expect([outcomeOf(before, came, '/'), settledIdle(before, came)]).toEqual([null, settled]);
});
