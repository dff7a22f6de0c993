// What is said to change before the sandbox of a session is replaced.
import { expect, test } from 'vitest';
import { replacementChanges } from '../../../sandbox-engine/engine/replacement-changes.ts';
import { leavesSetupOut } from '../../../sandbox-engine/session/setup-left-out.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';

type Before = Parameters<typeof replacementChanges>[0];
type Plan = Parameters<typeof replacementChanges>[1];

const config = { image: 'a', variables: 'a', resources: 'a', mounts: 'a', privileges: 'a', 'network rules': 'a', files: 'a' };
const before: Before = { secrets: ['API_TOKEN'], secret_files: [], network: 'gate', observed: false, image_source: 'prepared', config };
const allowed = { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['a.example'] }] };

const planWith = (part: Partial<Plan>, policy: Plan['environment']['network_policy'] = allowed): Plan => ({
  environment: { ...exampleEnvironment(1), name: 'Mine', network_policy: policy },
  image: 'sha256:1',
  imageSource: 'prepared',
  fallback: null,
  runtimeId: 'docker',
  cpus: 1,
  memoryBytes: 1,
  envVars: {},
  ownFolder: '/data',
  secrets: { names: ['API_TOKEN'], files: [], own: {} },
  config,
  ...part,
});

test.each<[string, Plan, string[]]>([
  ['the same', planWith({}), []],
  [
    'another environment',
    planWith({ imageSource: 'default', secrets: { names: [], files: ['KEY'], own: {} } }, { version: 'v1', rules: [] }),
    [
      'Image: from the image of a setup run to the default base',
      'Network: from By rules to No access',
      'Secrets: from API_TOKEN to none',
      'Secret files: from none to KEY',
    ],
  ],
  [
    'the same in other words',
    planWith({ config: { ...config, image: 'b', 'network rules': 'b', variables: 'b', mounts: 'b' } }),
    ['Image: another one, the image of a setup run of “Mine”', 'Network: other rules', 'Also: other variables, folders'],
  ],
  ['an open one', planWith({}, {}), ['Network: from By rules to Unrestricted']],
])('%s', (_, plan, told) => {
  expect(replacementChanges(before, plan)).toEqual(told);
});

test.each<[string, Partial<Before> & { setup_left_out?: boolean }, Plan, boolean]>([
  ['the same image', {}, planWith({}), false],
  ['the same image, which was left out of already', { setup_left_out: true }, planWith({}), true],
  ['another image of a setup run', {}, planWith({ config: { ...config, image: 'b' } }), true],
  ['the image of a setup run after a pinned one', { image_source: 'active' }, planWith({}), true],
  ['a pinned image', { setup_left_out: true }, planWith({ imageSource: 'active' }), false],
])('whether the workspace stays without what setup put there: %s', (_, part, plan, isLeftOut) => {
  expect(leavesSetupOut({ ...before, ...part }, plan)).toBe(isLeftOut);
});
