import { describe, expect, test } from 'vitest';
import { countLayers } from '../../../sandbox-engine/engine/disk-layers.ts';
import { changedFiles } from '../../../sandbox-engine/engine/lifecycle-calls.ts';

const history = (...steps: [string, number][]) => steps.map(([key, bytes]) => ({ key, bytes }));

test('a layer that many images have is counted once, and is nobody’s own', () => {
  const base = history(['a', 100], ['ab', 20]);
  const { total, owners } = countLayers([
    { id: 'base', owners: [], history: base },
    { id: 'one', owners: ['env_1'], history: [...base, ...history(['abc', 7])] },
    { id: 'one prepared', owners: ['env_1'], history: [...base, ...history(['abc', 7], ['abcd', 5])] },
    { id: 'two', owners: ['env_2'], history: [...base, ...history(['abx', 3])] },
  ]);
  expect(total).toBe(135);
  expect(Object.fromEntries(owners)).toEqual({ env_1: { own: 12, shared: 120 }, env_2: { own: 3, shared: 120 } });
});

test('an image that two environments have is shared by both', () => {
  const { total, owners } = countLayers([{ id: 'one', owners: ['env_1', 'env_2'], history: history(['a', 9]) }]);
  expect([total, Object.fromEntries(owners)]).toEqual([9, { env_1: { own: 0, shared: 9 }, env_2: { own: 0, shared: 9 } }]);
});

describe('what a person would miss of a sandbox', () => {
  test.each([
    ['files, not the folders they are in', ['/opt/tool', '/opt/tool/bin', '/opt/tool/bin/run'], ['/opt/tool/bin/run']],
    ['nothing of what Sandlot itself puts there', ['/home/sandbox/.sandlot/runbook.md', '/tmp/.sandlot-trm_1/tty', '/workspace/x'], []],
    ['nothing of the folders that a runtime always names', ['/etc', '/tmp', '/home/sandbox'], []],
    ['a folder that was made empty', ['/opt/empty'], ['/opt/empty']],
  ])('%s', (_name, paths, files) => expect(changedFiles(paths)).toEqual(files));
});
