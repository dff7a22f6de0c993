// What the page makes of a runtime that is away while another one answers.
import { expect, test } from 'vitest';
import { awayRuntimes } from '../../../renderer/src/store/select.ts';
import { emptyState, type State } from '../../../renderer/src/store/state.ts';
import { launchObstacle } from '../../../renderer/src/store/use-launch.ts';
import type { EnvironmentView, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';

const environment = (runtime: string, archived_at: string | null = null) =>
  ({
    id: `env_${runtime}`,
    runtime,
    archived_at,
    privileged: false,
    network_policy: {},
    setup_verification: { can_start_sessions: true },
  }) as unknown as EnvironmentView;
const probe = (id: string, status: string) => ({ id, status }) as RuntimeProbe;
const runtimes = [probe('docker', 'not_running'), probe('podman', 'connected')];

test.each<[string, RuntimeProbe[], string | null]>([
  ['podman', runtimes, null],
  ['docker', runtimes, 'It runs on docker, which does not answer now. See Runtimes.'],
  ['remote', runtimes, 'It runs on remote, which is not on this machine. See Runtimes.'],
  ['docker', [probe('docker', 'reconnecting')], 'No container runtime can be used. See Runtimes.'],
])('an environment on %s', (runtime, known, obstacle) => {
  expect(launchObstacle(environment(runtime), known)).toBe(obstacle);
});

test.each<[string, Partial<State>, string[]]>([
  ['an environment is on it', { environments: { a: environment('docker') } }, ['docker']],
  ['only an archived environment is on it', { environments: { a: environment('docker', '2026-01-01') } }, []],
  ['only the other one is used', { environments: { a: environment('podman') } }, []],
  ['a session that lives is on it', { sessions: { s: { runtime: 'docker', status: 'running' } as never } }, ['docker']],
  ['a session that has ended was on it', { sessions: { s: { runtime: 'docker', status: 'ended' } as never } }, []],
])('a runtime that is away is told when it is missed: %s', (_case, state, expected) => {
  expect(awayRuntimes({ ...emptyState, runtimes, ...state }).map(({ id }) => id)).toEqual(expected);
});
