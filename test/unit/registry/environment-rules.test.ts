import { describe, expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import type { EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import { environment as environmentSchema, type NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { applyPatch } from '../../../sandbox-engine/registry/environment-rules.ts';
import { exampleEnvironment } from './example-environment.ts';

const later = { now: '2026-12-01T00:00:00.000Z' };
const open: NetworkPolicy = {};
const closed: NetworkPolicy = { version: 'v1', rules: [] };
const ruled: NetworkPolicy = { version: 'v1', rules: [{ action: 'allow', hosts: ['example.com'] }] };

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.code : String(thrown);
  }
};

const detailsOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.details : thrown;
  }
  return null;
};

const pathOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (thrown) {
    return thrown instanceof SandlotError ? thrown.details['path'] : thrown;
  }
  return null;
};

test('a name alone makes a whole environment with every default', () => {
  const made = exampleEnvironment(1, { name: 'Web' });
  expect(environmentSchema.parse(made)).toEqual(made);
  expect(made).toMatchObject({
    slug: 'web',
    runtime: 'docker',
    network_policy: closed,
    resources: { size: 'medium', cpus: 2, memory_gib: 4, gpu: false },
    disk_gib: 20,
    idle_stop_seconds: 3600,
    retention_seconds: 604800,
    privileged: false,
    live: false,
    revision: 1,
    created_at: made.updated_at,
  });
});

describe('access', () => {
  const both = { ...exampleEnvironment(1), network_policy: closed, privileged: true };
  const seen = (network_policy: NetworkPolicy, privileged = false) => ({ network_policy, privileged });
  test.each<[string, ReturnType<typeof exampleEnvironment>, EnvironmentPatch, string]>([
    ['opening a closed one without proof', exampleEnvironment(1), { network_policy: open }, 'precondition_required'],
    ['opening a closed one with proof', exampleEnvironment(1), { network_policy: open, expected_access: seen(closed) }, 'ok'],
    [
      'opening with proof of something else',
      exampleEnvironment(1),
      { network_policy: open, expected_access: seen(open) },
      'precondition_failed',
    ],
    ['closing an open one without proof', exampleEnvironment(1, { network_policy: open }), { network_policy: closed }, 'ok'],
    ['the same policy with its keys in another order', exampleEnvironment(1), { network_policy: { rules: [], version: 'v1' } }, 'ok'],
    ['privileged on without proof', exampleEnvironment(1, { network_policy: open }), { privileged: true }, 'precondition_required'],
    ['privileged on with proof', exampleEnvironment(1, { network_policy: open }), { privileged: true, expected_access: seen(open) }, 'ok'],
    ['privileged on a closed one', exampleEnvironment(1), { privileged: true, expected_access: seen(closed) }, 'invalid_request'],
    ['privileged off without proof', both, { privileged: false }, 'ok'],
    ['another field of one that has both', both, { description: 'x' }, 'ok'],
    ['both sent back unchanged', both, { privileged: true, network_policy: closed }, 'ok'],
    [
      'closing a privileged one',
      exampleEnvironment(1, { network_policy: open, privileged: true }),
      { network_policy: closed },
      'invalid_request',
    ],
    ['rules for an open one', exampleEnvironment(1, { network_policy: open }), { network_policy: ruled }, 'ok'],
    ['rules for a closed one without proof', exampleEnvironment(1), { network_policy: ruled }, 'precondition_required'],
    ['rules for a closed one with proof', exampleEnvironment(1), { network_policy: ruled, expected_access: seen(closed) }, 'ok'],
    [
      'closing one with rules without proof',
      exampleEnvironment(1, { network_policy: ruled }),
      { network_policy: closed },
      'precondition_required',
    ],
    [
      'other rules with proof of others',
      exampleEnvironment(1, { network_policy: ruled }),
      { network_policy: open, expected_access: seen(closed) },
      'precondition_failed',
    ],
    [
      'rules for a privileged one',
      exampleEnvironment(1, { network_policy: open, privileged: true }),
      { network_policy: ruled },
      'invalid_request',
    ],
    ['a stale revision', exampleEnvironment(1), { revision: 7, description: 'x' }, 'revision_conflict'],
    ['the stored revision', exampleEnvironment(1), { revision: 1, description: 'x' }, 'ok'],
  ])('%s', (_name, stored, patch, code) => {
    expect(codeOf(() => applyPatch(stored, patch, later))).toBe(code);
  });

  test('a new environment cannot be privileged with the default policy', () => {
    expect(codeOf(() => exampleEnvironment(1, { privileged: true }))).toBe('invalid_request');
    expect(codeOf(() => exampleEnvironment(1, { network_policy: ruled, privileged: true }))).toBe('invalid_request');
    expect(codeOf(() => exampleEnvironment(1, { network_policy: ruled }))).toBe('ok');
  });

  test('privileged with a policy is refused by its code', () => {
    expect(detailsOf(() => exampleEnvironment(1, { privileged: true }))).toMatchObject({
      path: '/privileged',
      code: 'privileged_conflict',
    });
  });
});

describe('a patch', () => {
  const stored = exampleEnvironment(1, {
    metadata: { team: 'a', keep: '1' },
    env_vars: { A: '1', B: '2' },
    setup: { script: 'true', timeout_seconds: 60 },
  });

  test('that changes nothing answers the stored environment itself', () => {
    const patch: EnvironmentPatch = {
      name: stored.name,
      env_vars: { B: '2', A: '1' },
      resources: { size: 'medium' },
      metadata: { team: 'a' },
    };
    const answer = applyPatch(stored, patch, later);
    expect(answer.environment).toBe(stored);
    expect(answer.changed).toEqual([]);
  });

  test('merges metadata, removes by null and replaces maps whole', () => {
    const metadata = JSON.parse('{"team":null,"__proto__":"p","new":"2"}') as Record<string, string | null>;
    const { environment, changed } = applyPatch(stored, { metadata, env_vars: { C: '3' } }, later);
    expect(JSON.stringify(environment.metadata)).toBe('{"keep":"1","__proto__":"p","new":"2"}');
    expect(environment).toMatchObject({ env_vars: { C: '3' }, revision: 2, updated_at: later.now, created_at: stored.created_at });
    expect(environment.env_vars).toEqual({ C: '3' });
    expect(changed.sort()).toEqual(['env_vars', 'metadata']);
  });

  test.each([[null], [{ script: '', timeout_seconds: 600 }]])('with the setup %j removes it', (setup) => {
    expect(applyPatch(stored, { setup }, { ...later, setupWarnings: [] }).environment.setup).toBeNull();
  });

  test('never changes the slug', () => {
    expect(applyPatch(stored, { name: 'Other' }, later).environment).toMatchObject({ name: 'Other', slug: stored.slug });
  });

  test.each([
    [{ size: 'small' as const }, { size: 'small', cpus: 1, memory_gib: 2, gpu: false }],
    [
      { size: 'large' as const, gpu: true },
      { size: 'large', cpus: null, memory_gib: null, gpu: true },
    ],
    [
      { cpus: 1.5, memory_gib: 3 },
      { size: 'custom', cpus: 1.5, memory_gib: 3, gpu: false },
    ],
  ])('with the resources %j replaces them whole', (resources, expected) => {
    expect(applyPatch(stored, { resources }, later).environment.resources).toEqual(expected);
  });
});

describe('bad fields', () => {
  const mount = (source: string, target: string) => ({ mounts: [{ source, target, read_only: true }] });
  const skill = (...paths: string[]) => ({ skills: [{ name: 's', contents: 't', files: paths.map((path) => ({ path, contents: '' })) }] });
  test.each<[string, EnvironmentPatch, string | null]>([
    ['256 characters', { name: 'x'.repeat(256) }, null],
    ['257 characters', { name: 'x'.repeat(257) }, '/name'],
    ['256 characters of two units each', { name: '🚀'.repeat(256) }, null],
    ['blanks', { name: ' \u3000' }, '/name'],
    ['a line break', { name: 'a\nb' }, '/name'],
    ['a name with blanks around it', { name: ' lead ' }, null],
    ['a variable with a dash and a slash', { env_vars: { 'a-b/c': '1' } }, '/env_vars/a-b~1c'],
    ['a variable that begins with a digit', { env_vars: { '1A': '1' } }, '/env_vars/1A'],
    ['a variable named __proto__', { env_vars: JSON.parse('{"__proto__":"1"}') as Record<string, string> }, null],
    ['a NUL in a value', { env_vars: { A: 'a\0b' } }, '/env_vars/A'],
    ['the same secret twice', { secrets: ['A', 'A'] }, '/secrets/1'],
    ['a mount over the workspace', mount('/srv', '/workspace/'), '/mounts/0/target'],
    ['a mount below the workspace', mount('/srv', '/workspace/data'), null],
    ['a mount over the root', mount('/srv', '/./'), '/mounts/0/target'],
    ['a target with ..', mount('/srv', '/data/../etc'), '/mounts/0/target'],
    ['a target in /proc', mount('/srv', '/proc/1'), '/mounts/0/target'],
    ['the socket of the runtime', mount('/var/run/docker.sock', '/data'), '/mounts/0/source'],
    ['a folder that holds that socket', mount('/run/user/1000', '/data'), '/mounts/0/source'],
    ['an ordinary folder', mount('/home/me/run', '/data'), null],
    ['a disk of 0', { disk_gib: 0 }, '/disk_gib'],
    ['a skill of several files', skill('a.md', 'docs/b.md', 'docs/c.md'), null],
    ['a file of a skill that leads out', skill('../a.md'), '/skills/0/files/0/path'],
    ['a file of a skill with a path from the root', skill('/etc/passwd'), '/skills/0/files/0/path'],
    ['a file of a skill in the place of its text', skill('docs/b.md', 'Skill.md'), '/skills/0/files/1/path'],
    ['a file of a skill twice', skill('a.md', 'A.md'), '/skills/0/files/1/path'],
    ['a file of a skill that is a folder as well', skill('a/b.md', 'a'), '/skills/0/files/1/path'],
    ['a file of a skill beside one that begins like it', skill('ab', 'a'), null],
    [
      'a branch that git reads as an option',
      { repo: { source: 'a/b', branch: '--upload-pack=x', submodules: false, lfs: false, path: '/workspace/repo' } },
      '/repo/branch',
    ],
  ])('%s', (_name, patch, path) => {
    expect(pathOf(() => applyPatch(exampleEnvironment(1), patch, later))).toBe(path);
  });

  test('each bad variable is named at once', () => {
    const work = () => applyPatch(exampleEnvironment(1), { env_vars: { 'A B': '1', OK: '1', 'C-D': '2' } }, later);
    expect(work).toThrow(/"A B".*"C-D"/);
  });
});
