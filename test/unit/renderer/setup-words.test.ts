// What the panel says of runs and verdicts, and what it offers to press.
import { expect, test } from 'vitest';
import {
  failedPhase,
  firstShown,
  isTestNext,
  kindWord,
  nextStep,
  runDurationMs,
  runState,
  runSteps,
  verdictNext,
} from '../../../renderer/src/environment/setup-words.ts';
import type { EnvironmentView, SetupRun, SetupVerification } from '../../../sandbox-engine/contract/model.ts';

const run = (part: Partial<SetupRun>): SetupRun =>
  ({
    id: 'run_1',
    kind: 'manual',
    session_id: null,
    status: 'failed',
    phase: 'setup',
    phases: [],
    timeout_seconds: 600,
    ...part,
  }) as SetupRun;

test.each([
  ['egress_blocked', null, 600, { kind: 'tab', tab: 'network', label: 'Open Network' }],
  ['out_of_memory', null, 600, { kind: 'tab', tab: 'resources', label: 'Choose a larger size' }],
  ['timeout', null, 600, { kind: 'timeout', seconds: 1200 }],
  ['timeout', null, 2400, { kind: 'timeout', seconds: 3600 }],
  ['timeout', null, 3600, null],
  ['permission', 'Use sudo: sudo apt-get install -y jq', 600, { kind: 'command', command: 'sudo apt-get install -y jq' }],
  [
    'command_not_found',
    'Add "curl" to the recipe\'s apt packages: this environment has no network to fetch it from.',
    600,
    { kind: 'package', manager: 'apt', name: 'curl' },
  ],
  ['apt_needs_yes', 'Add `-y`: sudo apt-get install -y …', 600, null],
  ['no_such_file', 'Check the path: the script begins in /workspace.', 600, null],
  [null, null, 600, null],
])('the hint %s with the next action %j and a timeout of %d offers %j', (hint_code, next_action, timeout_seconds, step) => {
  expect(nextStep({ hint_code, next_action, timeout_seconds })).toEqual(step);
});

const phase = (name: SetupRun['phase'], status: SetupRun['phases'][number]['status']) => ({
  phase: name,
  status,
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 5,
});

test('the failed phase is the one that failed, though the run went on to clean up', () => {
  expect(failedPhase(run({ phase: 'cleanup', phases: [phase('setup', 'failed'), phase('cleanup', 'running')] }))).toBe('setup');
});

test('Z-01: a run took as long as its phases, also when the clock was set back meanwhile', () => {
  const times = { started_at: '2026-10-25T03:00:00.000Z', finished_at: '2026-10-25T02:00:04.000Z' };
  const phases = [phase('provision', 'succeeded'), { ...phase('setup', 'succeeded'), duration_ms: 4000 }];
  expect([runDurationMs(run({ ...times, phases })), runDurationMs(run({ ...times, finished_at: null, phases }))]).toEqual([4005, null]);
});

test('phases to come are waiting while a run is under way, and left out when it is over', () => {
  const phases = [phase('provision', 'succeeded'), phase('setup', 'failed')];
  const names = (status: SetupRun['status']) => runSteps(run({ status, phases })).map((step) => step.status);
  expect([names('running'), names('failed')]).toEqual([
    ['succeeded', 'failed', 'waiting', 'waiting', 'waiting'],
    ['succeeded', 'failed'],
  ]);
});

test('a GPU is spoken of only where one was asked for', () => {
  const names = (status: 'skipped' | 'succeeded') => runSteps(run({ phases: [phase('gpu_check', status)] })).map(({ name }) => name);
  expect([names('skipped'), names('succeeded')]).toEqual([[], ['Check the GPU']]);
});

test.each([
  [
    { status: 'succeeded', observed: true },
    { tone: 'plain', label: 'Observed' },
  ],
  [
    { status: 'succeeded', observed: false },
    { tone: 'ok', label: 'Succeeded' },
  ],
  [
    { status: 'failed', observed: true },
    { tone: 'bad', label: 'Failed' },
  ],
] as const)('the run %j is called %j', (of, expected) => {
  expect(runState(of)).toEqual(expected);
});

test('a comparison of runtimes does not push the last test away', () => {
  const compared = run({ id: 'run_2', kind: 'session' });
  expect([firstShown([compared, run({})])?.id, firstShown([compared])?.id, firstShown([])]).toEqual(['run_1', 'run_2', null]);
});

test.each([
  ['session', null, 'Comparison of runtimes'],
  ['session', 'ses_1', 'At session start'],
  ['refresh', null, 'Image refresh'],
] as const)('a run of kind %s with session %s is called %s', (kind, session_id, word) => {
  expect(kindWord({ kind, session_id, observed: false })).toBe(word);
});

test('a run that was observed is called that: it is no test', () => {
  expect(kindWord({ kind: 'manual', session_id: null, observed: true })).toBe('Observed');
});

test('a stale failure says what sessions wait for, not the hint of a script that was changed', () => {
  const verification = { label: 'Failed', stale: true, last_run: { hint: 'old hint' } } as SetupVerification;
  expect(verdictNext(verification)).toBe('Sessions can start when it has passed.');
});

test.each([
  ['active', false, 'Never', true],
  ['active', false, 'Stale', true],
  ['active', false, 'Running', false],
  ['active', true, 'Verified', false],
  ['none', false, 'Never', false],
] as const)('with an image that is %s, can start: %s, verdict %s, a test is what comes next: %s', (state, canStart, label, isNext) => {
  const environment = { image: { state }, setup_verification: { can_start_sessions: canStart, label } } as EnvironmentView;
  expect(isTestNext(environment)).toBe(isNext);
});
