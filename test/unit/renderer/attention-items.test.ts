import { expect, test } from 'vitest';
import { attentionOf } from '../../../renderer/src/home/attention-items.ts';
import type { Build, EnvironmentView, RuntimeProbe, SecretList, Session } from '../../../sandbox-engine/contract/model.ts';

const environment = (id: string, label: string, state = 'active', archived_at: string | null = null, can_start_sessions = true) =>
  ({
    id,
    name: id,
    archived_at,
    image: { state, message: `image is ${state}` },
    setup_verification: { label, message: `setup is ${label}`, can_start_sessions },
  }) as unknown as EnvironmentView;
const connected = [{ status: 'connected', message: '' }] as unknown as RuntimeProbe[];
const session = (name: string, more: object) =>
  ({
    ...{ id: name, name, environment_id: name, status: 'running', message: null, created_at: '2026-01-02' },
    ...{ start_script: { status: 'none', exit_code: null } },
    ...more,
  }) as unknown as Session;
const told = (more: Partial<Parameters<typeof attentionOf>[0]>) =>
  attentionOf({ environments: [], sessions: [], runtimes: connected, secrets: null, newestBuilds: new Map(), ...more }).map(
    ({ tone, title, text }) => `${tone} ${title}: ${text}`,
  );

test('where all is well there is nothing', () => {
  expect(told({ environments: [environment('web', 'Verified'), environment('new', 'Never', 'none')] })).toEqual([]);
});

test('an environment whose launch is refused until it is tested is told', () => {
  const environments = [environment('new', 'Not tested', 'none', null, false)];
  expect(told({ environments })).toEqual(['warn new: setup is Not tested']);
});

test('what is broken comes before what is only older; archived ones are left alone', () => {
  const environments = [
    environment('stale', 'Stale'),
    environment('failed', 'Failed'),
    environment('gone', 'Verified', 'missing'),
    environment('old', 'Failed', 'active', '2026-01-01T00:00:00.000Z'),
  ];
  const sessions = [session('box', { message: 'not cloned' })];
  expect(told({ environments, sessions })).toEqual([
    'bad failed: setup is Failed',
    'bad gone: image is missing',
    'warn stale: setup is Stale',
    'warn box: not cloned',
  ]);
});

test('a build that failed is told, worse where no image is pinned that sessions could start from; what is wrong with a session is its first line', () => {
  const failed = (failed_step: string | null) => ({ status: 'failed', failed_step }) as unknown as Build;
  const newestBuilds = new Map([
    ['new', failed('apt packages')],
    ['web', failed(null)],
    ['older', failed('make')],
    ['fine', { status: 'succeeded', failed_step: null } as unknown as Build],
  ]);
  const environments = [environment('new', 'Ready', 'none'), environment('web', 'Verified'), environment('fine', 'Verified')];
  environments.push(environment('older', 'Ready', 'stale'));
  const sessions = [session('box', { message: 'not cloned: 403\nSee the network.' })];
  expect(told({ environments, sessions, newestBuilds })).toEqual([
    'bad new: The last build failed at “apt packages”.',
    'bad older: The last build failed at “make”.',
    'warn web: The last build failed.',
    'warn box: not cloned: 403',
  ]);
});

test('a start script that failed, and a launch that failed until another one of its environment comes', () => {
  const failed = { status: 'failed', message: 'The gate did not start.\nLook at the runtime.' };
  const sessions = [
    session('start', { start_script: { status: 'failed', exit_code: 3 } }),
    session('gate', failed),
    session('older', { ...failed, environment_id: 'web' }),
    session('newer', { environment_id: 'web', created_at: '2026-01-03' }),
    session('deleted', { ...failed, deleted_at: '2026-01-03' }),
    session('silent', { status: 'failed' }),
  ];
  expect(told({ sessions })).toEqual([
    'bad gate: The gate did not start.',
    'bad silent: Its launch failed.',
    'warn start: The start script failed with code 3.',
  ]);
});

test('without a runtime, and with a secret that is not set', () => {
  const runtimes = [{ status: 'not_running', message: 'Docker is installed but does not run.' }] as unknown as RuntimeProbe[];
  const secrets = { secrets: [], missing: [{ name: 'TOKEN', environments: [{ id: 'e', name: 'web' }] }], key: null } as SecretList;
  expect(told({ runtimes, secrets })).toEqual([
    'bad No runtime: Docker is installed but does not run. See what was looked for, and what mends it.',
    'bad TOKEN: This secret is not set, so “web” cannot start sessions.',
  ]);
});

test.each([
  [['web'], '“web” cannot'],
  [['web', 'api'], '“web” and “api” cannot'],
  [['web', 'api', 'box'], '3 environments cannot'],
])('a secret that is missing in %j', (names, said) => {
  const missing = [{ name: 'TOKEN', environments: names.map((name) => ({ id: name, name })) }];
  const runtimes = [{ status: 'connected' }] as unknown as RuntimeProbe[];
  expect(told({ runtimes, secrets: { secrets: [], missing, key: null } as SecretList })).toEqual([
    `bad TOKEN: This secret is not set, so ${said} start sessions.`,
  ]);
});
