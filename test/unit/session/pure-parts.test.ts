import { describe, expect, test } from 'vitest';
import { createLabels } from '../../../sandbox-engine/container/labels.ts';
import { openNetwork, type SandboxNetwork } from '../../../sandbox-engine/container/sandbox-network.ts';
import type { Environment, Session } from '../../../sandbox-engine/contract/model.ts';
import { refusedSource } from '../../../sandbox-engine/session/check-host-folders.ts';
import { fileNameOf } from '../../../sandbox-engine/session/inject.ts';
import { patchFor } from '../../../sandbox-engine/session/recover.ts';
import { checkPlan, containerSpec, networkOf } from '../../../sandbox-engine/session/session-container.ts';
import type { LaunchPlan } from '../../../sandbox-engine/session/session-parts.ts';

const at = '2026-11-29T19:00:00.000Z';
const aSession = (over: Partial<Session> = {}) =>
  ({
    ...{ id: 'ses_01m8mc7e6k3y74xgwx0w6rbnyh', status: 'running', started_at: null, network: 'none', volume: 'sandlot-ses_1' },
    ...{ environment_id: 'env_1', environment_name: 'Größe #1', secrets: [], secret_files: [] },
    ...over,
  }) as Session;
const container = (over: object) => ({ id: 'c1', status: 'running', exitCode: null, oomKilled: false, ...over }) as never;

describe('what a session becomes', () => {
  const running = { status: 'running', container_id: 'c1', started_at: at, stopped_at: null };
  const lost = 'The container was removed outside Sandlot. /workspace is kept: replace the sandbox to go on.';
  test.each<[string, Session['status'], ReturnType<typeof container> | null, object | null]>([
    ['a running one that runs', 'running', container({}), null],
    ['a starting one whose container runs', 'starting', container({}), running],
    ['a stopped one that was started outside', 'stopped', container({}), running],
    ['a starting one whose container is paused', 'starting', container({ status: 'paused' }), running],
    [
      'a starting one without a container',
      'starting',
      null,
      { status: 'failed', message: 'Sandlot ended while this session was starting.', ended_at: at },
    ],
    [
      'a running one without a container and without a workspace',
      'running',
      null,
      { status: 'ended', message: 'Its sandbox and its workspace were removed outside Sandlot.', ended_at: at },
    ],
    ['a stopped one that is stopped', 'stopped', container({ status: 'exited', exitCode: 137 }), null],
    [
      'a running one that was stopped',
      'running',
      container({ status: 'exited', exitCode: 143 }),
      {
        ...{ status: 'stopped', container_id: 'c1', stopped_at: at },
        message: 'The container stopped outside Sandlot (exit code 143).',
      },
    ],
    [
      'a running one that ran out of memory',
      'running',
      container({ status: 'exited', exitCode: 137, oomKilled: true }),
      { ...{ status: 'stopped', container_id: 'c1', stopped_at: at }, message: 'The session ran out of memory and was stopped.' },
    ],
  ])('%s', (_name, status, found, patch) => {
    expect(patchFor(aSession({ status }), found, at, false)).toEqual(patch);
  });

  test.each<[string, Partial<Session>, object | null]>([
    ['a running one', { status: 'running', container_id: 'c1' }, { status: 'stopped', container_id: null, message: lost, stopped_at: at }],
    [
      'one that was stopped before',
      { status: 'stopped', container_id: 'c1', stopped_at: 'before' },
      { status: 'stopped', container_id: null, message: lost, stopped_at: 'before' },
    ],
    ['one of which that is known', { status: 'stopped', container_id: null, stopped_at: 'before' }, null],
  ])('%s without a container whose workspace is there', (_name, over, patch) => {
    expect(patchFor(aSession(over), null, at, true)).toEqual(patch);
  });

  test('one that was started outside goes by itself no more, unless a person deleted it', () => {
    const due = { status: 'stopped', delete_at: at } as const;
    expect([aSession(due), aSession({ ...due, deleted_at: at })].map((one) => patchFor(one, container({}), at, false))).toEqual([
      { ...running, delete_at: null },
      running,
    ]);
  });
});

test.each([
  [{}, 'unrestricted'],
  [{ version: 'v1', rules: [] }, 'gate'],
  [{ version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'] }] }, 'gate'],
  // Damage opens nothing.
  [{ version: 'v1' }, 'gate'],
  [{ rules: [] }, 'gate'],
  [[], 'gate'],
  [null, 'gate'],
  ['', 'gate'],
] as const)('the policy %j gives the network "%s"', (policy, network) => {
  expect(networkOf(policy as never)).toBe(network);
});

test.each([
  ['plain', 'plain'],
  ['../../etc/passwd', '__.._etc_passwd'],
  ['..', '_'],
  ['.bashrc', '_bashrc'],
  ['a/b\\c:d', 'a_b_c_d'],
  ['Größe 大 1', 'Größe 大 1'],
  ['line\nbreak\u0000', 'line_break_'],
  ['', '_'],
  ['   ', '_'],
  ['x'.repeat(300), 'x'.repeat(230)],
])('the name %j becomes the file name %j', (name, fileName) => {
  expect(fileNameOf(name)).toBe(fileName);
});

const aPlan = (over: Partial<Environment> = {}, more: Partial<LaunchPlan> = {}): LaunchPlan => ({
  environment: {
    ...{ mounts: [], network_policy: {}, privileged: false, resources: { size: 'small', cpus: null, memory_gib: null, gpu: false } },
    ...over,
  } as unknown as Environment,
  ...{
    image: 'i',
    imageSource: 'active',
    fallback: null,
    runtimeId: 'docker',
    cpus: 2,
    memoryBytes: 1024,
    envVars: {},
    ownFolder: '/home/me/.sandlot',
  },
  ...more,
});
const behindGate: SandboxNetwork = {
  ...{ network: 'container:g1', env: ['HTTP_PROXY=p', 'NO_PROXY=n'], securityOpt: ['seccomp=s'] },
  mounts: [{ kind: 'bind', source: '/r', target: '/etc/resolv.conf', readOnly: true }],
};
const spec = (plan: LaunchPlan, imageEnv: string[] = [], network: SandboxNetwork = { ...openNetwork, network: 'none' }) =>
  containerSpec(plan, aSession(), { image: { id: 'sha256:1', env: imageEnv }, network, makeLabels: createLabels('home', 'owner') });

describe('the container of a session', () => {
  test('a restricted one has no network and no raw or admin capability; an open one has the bridge and keeps the default set', () => {
    expect(spec(aPlan())).toMatchObject({
      network: 'none',
      capDrop: ['NET_RAW', 'NET_ADMIN', 'MKNOD'],
      user: 'sandbox',
      workdir: '/workspace',
    });
    const open = spec(aPlan(), [], openNetwork);
    expect([open.network, open.capDrop, open.privileged]).toEqual(['bridge', undefined, undefined]);
  });

  test('behind a gate it has what the gate asks for; a variable of the environment wins over one of the gate', () => {
    const found = spec(aPlan({}, { envVars: { HTTP_PROXY: 'mine' } }), ['LANG=C'], behindGate);
    expect([found.network, found.securityOpt, found.env, found.mounts?.map(({ target }) => target)]).toEqual([
      ...['container:g1', ['seccomp=s'], ['NO_PROXY=n', 'HTTP_PROXY=mine']],
      ['/etc/resolv.conf', '/workspace'],
    ]);
    expect(found).toMatchObject({ capDrop: ['NET_RAW', 'NET_ADMIN', 'MKNOD'] });
  });

  test.each([
    [{}, [], ['LANG=C.UTF-8']],
    [{ LANG: 'de_DE.UTF-8' }, [], ['LANG=de_DE.UTF-8']],
    [{}, ['LC_ALL=C'], []],
    [{ A: 'k=v\n"w"' }, ['LANGUAGE=de'], ['LANG=C.UTF-8', 'A=k=v\n"w"']],
  ])('variables %j over an image with %j are %j', (envVars, imageEnv, env) => {
    expect(spec(aPlan({}, { envVars: envVars as Record<string, string> }), imageEnv).env).toEqual(env);
  });

  test('only a session with secret files has a file system in memory for them', () => {
    const withFiles = containerSpec(aPlan(), aSession({ secret_files: ['KEY'] }), {
      image: { id: 'sha256:1', env: [] },
      network: { ...openNetwork, network: 'none' },
      makeLabels: createLabels('home', 'owner'),
    });
    expect([Object.keys(withFiles.tmpfs ?? {}), spec(aPlan()).tmpfs]).toEqual([['/run/secrets'], undefined]);
  });

  test('its names come from ids, whatever it is called', () => {
    const { name, hostname } = spec(aPlan());
    expect([name, hostname].filter((one) => !/^[a-z0-9][a-z0-9_.-]*$/.test(one ?? ''))).toEqual([]);
  });

  test.each([
    [aPlan({ privileged: true, network_policy: { version: 'v1', rules: [] } }), 'network_policy_not_supported'],
    [aPlan({ mounts: [{ source: '/etc', target: '/x', read_only: true }] }), 'folder_not_agreed'],
    [aPlan({ mounts: [{ source: '/etc', target: '/x', read_only: true }] }, { areFoldersAgreed: false }), 'folder_not_agreed'],
    [aPlan({ repo: { source: '/home/me', submodules: false, lfs: false, path: '/workspace/repo' } }), 'folder_not_agreed'],
  ])('a plan that must not be run is refused (%#)', (plan, code) => {
    expect(() => checkPlan(plan)).toThrow(expect.objectContaining({ code }));
  });
});

test.each([
  ['/home/me/project', null],
  ['/home/me', 'it holds or is part of /home/me/.sandlot'],
  ['/home/me/.sandlot/secrets', 'it holds or is part of /home/me/.sandlot'],
  ['/', 'it holds /run/docker.sock'],
  ['/run', 'it holds /run/docker.sock'],
  ['/run/docker.sock', 'it holds /run/docker.sock'],
  ['/run/docker.sockets', null],
  ['/var/lib', 'it holds or is part of /var/lib/docker'],
  ['/var/lib/docker/volumes', 'it holds or is part of /var/lib/docker'],
  ['/proc/1', 'it holds or is part of /proc'],
])('the mount source %s: %s', (path, why) => {
  const refused = refusedSource(path, ['/run/docker.sock'], '/home/me/.sandlot');
  expect(refused === null ? null : refused.startsWith(why ?? 'never')).toBe(why === null ? null : true);
});
