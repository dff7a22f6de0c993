import { describe, expect, test } from 'vitest';
import type { Environment, SetupRun, VerdictKey } from '../../../sandbox-engine/contract/model.ts';
import { verdict, verdictKey } from '../../../sandbox-engine/setup/verdict.ts';
import { environmentWith } from '../../runtime/support/setup-house.ts';

const boot = { imageId: 'sha256:a', runtimeLayer: '1' };
const environment = environmentWith('echo a');
const key = verdictKey(environment, boot);

const runWith = (part: Partial<SetupRun>): SetupRun => ({
  ...{
    id: 'run_1',
    environment_id: environment.id,
    kind: 'manual',
    observed: false,
    session_id: null,
    status: 'succeeded',
    phase: 'cleanup',
    phases: [],
  },
  ...{ script: 'echo a', timeout_seconds: 600, verdict_key: key, exit_code: 0, failed_line: null, failed_command: null, stderr_tail: '' },
  ...{ hint: null, hint_code: null, failure_code: null, next_action: null, line_times: [], truncated: false, stream_id: 'str_1' },
  ...{ prepared_image_id: 'sha256:p', prepared_image_size: 1, runtime: 'docker', created_at: '', started_at: null, finished_at: null },
  ...part,
});

const passed = runWith({});
const failed = runWith({ status: 'failed', phase: 'setup', exit_code: 3, failed_line: 7, prepared_image_id: null });
const unsaved = runWith({ status: 'failed', phase: 'commit', exit_code: 0, prepared_image_id: null });
const broken = runWith({ status: 'failed', phase: 'provision', exit_code: null, prepared_image_id: null });
const running = runWith({ id: 'run_2', status: 'running', exit_code: null, prepared_image_id: null });
const interrupted = runWith({ id: 'run_3', status: 'failed', failure_code: 'host_stopped', exit_code: null, prepared_image_id: null });
const other: VerdictKey = { ...key, network_policy: 'x', resources: 'y' };
const newLayer: VerdictKey = { ...key, runtime_layer: '2' };

type Row = [
  string,
  { newestFinished: SetupRun | null; inFlight?: SetupRun; interrupted?: SetupRun; key?: VerdictKey; hasScript?: boolean; gone?: boolean },
  string,
  boolean,
  string[],
];

const rows: Row[] = [
  ['no script', { newestFinished: null, hasScript: false }, 'not_applicable Ready', true, []],
  ['no script any more', { newestFinished: failed, hasScript: false }, 'not_applicable Ready', true, []],
  ['no run yet, or only cancelled ones', { newestFinished: null }, 'never Never', false, []],
  ['no run yet, one is observed', { newestFinished: null, inFlight: { ...running, observed: true } }, 'never Never', false, []],
  ['passed, another is observed', { newestFinished: passed, inFlight: { ...running, observed: true } }, 'verified Verified', true, []],
  ['the first run', { newestFinished: null, inFlight: running }, 'running Running', false, []],
  ['passed', { newestFinished: passed }, 'verified Verified', true, []],
  ['passed, its image gone', { newestFinished: passed, gone: true }, 'verified Image failed', false, []],
  ['passed, tested again', { newestFinished: passed, inFlight: running }, 'verified Re-testing', true, []],
  ['passed, image gone, tested again', { newestFinished: passed, inFlight: running, gone: true }, 'running Running', false, []],
  ['passed, then changed', { newestFinished: passed, key: other }, 'verified Stale', false, ['network_policy', 'resources']],
  ['passed, the runtime layer changed', { newestFinished: passed, key: newLayer }, 'verified Stale', false, ['runtime_layer']],
  ['changed and tested again', { newestFinished: passed, inFlight: running, key: other }, 'running Running', false, []],
  [
    'a refresh under way',
    { newestFinished: passed, inFlight: { ...running, kind: 'refresh' }, key: newLayer },
    'running Running',
    false,
    [],
  ],
  ['failed', { newestFinished: failed }, 'failed Failed', false, []],
  ['failed, tested again', { newestFinished: failed, inFlight: running }, 'running Running', false, []],
  ['failed, then changed', { newestFinished: failed, key: other }, 'failed Failed', false, ['network_policy', 'resources']],
  ['the image step failed', { newestFinished: unsaved }, 'failed Image failed', false, []],
  ['passed, a new test ended with the host', { newestFinished: passed, interrupted }, 'verified Verified', true, []],
  ['failed, a new test ended with the host', { newestFinished: failed, interrupted }, 'failed Failed', false, []],
  ['the first test ended with the host', { newestFinished: null, interrupted }, 'never Never', false, []],
  ['not even provisioned', { newestFinished: broken }, 'failed Failed', false, []],
];

test.each(rows)('%s', (_, { newestFinished, inFlight, interrupted, key: now, hasScript, gone }, told, canStart, stale) => {
  const input = {
    hasScript: hasScript ?? true,
    key: now ?? key,
    newestFinished,
    inFlight: inFlight ?? null,
    interrupted: interrupted ?? null,
    preparedImagePresent: gone !== true,
  };
  const got = verdict(input);
  expect([`${got.status} ${got.label}`, got.can_start_sessions, got.stale_fields, got.stale]).toEqual([
    told,
    canStart,
    stale,
    stale.length > 0,
  ]);
  expect(got.prepared_image_id).toBe(canStart && input.hasScript ? 'sha256:p' : null);
});

test('a passed script without its image says exactly that', () => {
  const got = verdict({ hasScript: true, key, newestFinished: unsaved, inFlight: null, interrupted: null, preparedImagePresent: false });
  expect(got.message).toBe('Setup passed, but its reusable image failed.');
});

test('a run that ended with the host is shown beside the verdict that it does not change', () => {
  const { status, message, last_run, prepared_image_id } = verdict({
    ...{ hasScript: true, key, newestFinished: passed, inFlight: null, interrupted, preparedImagePresent: true },
  });
  expect([status, last_run?.id, prepared_image_id]).toEqual(['verified', 'run_3', 'sha256:p']);
  expect(message).toMatch(/passed on this configuration\. .* interrupted when Sandlot ended/);
});

test.each<[string, Partial<SetupRun>, Partial<Parameters<typeof verdict>[0]>, unknown]>([
  ['nothing was blocked', { blocked_destinations: 0 }, {}, undefined],
  ['a run of before it was counted', {}, {}, undefined],
  ['two were blocked', { blocked_destinations: 2 }, {}, { destinations: 2, setup_run_id: 'run_1' }],
  [
    'two were blocked, and it is tested again',
    { blocked_destinations: 2 },
    { inFlight: running },
    { destinations: 2, setup_run_id: 'run_1' },
  ],
  // What it proved is past.
  ['two were blocked, then it was changed', { blocked_destinations: 2 }, { key: other }, undefined],
  ['it failed', { blocked_destinations: 2, status: 'failed', exit_code: 1 }, {}, undefined],
])('a verdict says what its run was kept from: %s', (_, run, part, blocked) => {
  const newestFinished = { ...passed, ...run };
  const input = { hasScript: true, key, newestFinished, inFlight: null, interrupted: null, preparedImagePresent: true, ...part };
  expect(verdict(input).blocked).toEqual(blocked);
});

describe('the key of a verdict', () => {
  const same: Partial<Environment>[] = [
    { name: 'B' },
    { description: 'b' },
    { metadata: { a: 'b' } },
    { idle_stop_seconds: 9 },
    { retention_seconds: 9 },
    { computer_use: true },
    { session_start: [{ name: 'a', run: 'b' }] },
    { knowledge: [{ name: 'a', contents: 'b' }] },
    { secrets: ['A'] },
    { revision: 2 },
  ];
  test.each(same)('%j keeps it', (part) => {
    expect(verdictKey({ ...environment, ...part }, boot)).toEqual(key);
  });
  const changes: [Partial<Environment>, keyof VerdictKey][] = [
    [{ recipe_digest: 'other' }, 'recipe'],
    [{ setup: { script: 'echo b', timeout_seconds: 60 } }, 'setup'],
    [{ setup: { script: 'echo a', timeout_seconds: 61 } }, 'setup'],
    [{ env_vars: { A: '1' } }, 'env_vars'],
    [{ network_policy: {} }, 'network_policy'],
    [{ resources: { size: 'small', cpus: null, memory_gib: null, gpu: false } }, 'resources'],
    [{ mounts: [{ source: '/a', target: '/b', read_only: true }] }, 'mounts'],
    [{ privileged: true }, 'privileged'],
    [{ disk_gib: 21 }, 'disk_gib'],
    [{ runtime: 'podman' }, 'runtime'],
    [{ repo: { source: 'a/b', submodules: false, lfs: false, path: '/workspace/repo' } }, 'repo'],
  ];
  test.each(changes)('%j changes it: %s', (part, field) => {
    const now = verdictKey({ ...environment, ...part }, boot);
    expect((Object.keys(key) as (keyof VerdictKey)[]).filter((one) => now[one] !== key[one])).toEqual([field]);
  });
});

test('what has changed since the last run is told in words', () => {
  const now: VerdictKey = { ...key, image_id: 'x', network_policy: 'x', repo: 'x' };
  const { message } = verdict({
    hasScript: true,
    key: now,
    newestFinished: passed,
    interrupted: null,
    inFlight: null,
    preparedImagePresent: true,
  });
  expect(message).toBe('Changed since the last setup run: image, network, repository. Test setup again.');
});
