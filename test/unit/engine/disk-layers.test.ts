import { describe, expect, test } from 'vitest';
import { countLayers, freedBytes, preparedBytes } from '../../../sandbox-engine/engine/disk-layers.ts';
import { changedFiles } from '../../../sandbox-engine/engine/lifecycle-calls.ts';

/** An image whose history has words of no layer between its layers, as one that was built has. */
const built = (...layers: [string, number][]) => ({
  layers: layers.map(([layer]) => layer),
  steps: layers.flatMap(([, bytes]) => [bytes, 0, 0]),
});

/** An image whose history is one step for each layer, as that of a stored container is. */
const stored = (...layers: [string, number][]) => ({ layers: layers.map(([layer]) => layer), steps: layers.map(([, bytes]) => bytes) });

const base: [string, number][] = [
  ['a', 100],
  ['nothing', 0],
  ['b', 20],
];

test('a layer that many images have is counted once, and is nobody’s own; a prepared image has what it adds', () => {
  const images = [
    { id: 'base', owners: [], ...built(...base), isPrepared: false },
    { id: 'one', owners: ['env_1'], ...built(...base, ['c', 7], ['workdir', 0]), isPrepared: false },
    { id: 'one prepared', owners: ['env_1'], ...stored(...base, ['c', 7], ['workdir', 0], ['d', 5]), isPrepared: true },
    { id: 'one prepared again', owners: ['env_1'], ...stored(...base, ['c', 7], ['workdir', 0], ['e', 5]), isPrepared: true },
    { id: 'two', owners: ['env_2'], ...built(...base, ['x', 7]), isPrepared: false },
  ];
  const { total, owners } = countLayers(images);
  expect(total).toBe(144);
  expect(Object.fromEntries(owners)).toEqual({ env_1: { own: 17, shared: 120 }, env_2: { own: 7, shared: 120 } });
  expect(Object.fromEntries(preparedBytes(images))).toEqual({ env_1: 10, env_2: 0 });
});

test('an image that two environments have is shared by both', () => {
  const { total, owners } = countLayers([{ id: 'one', owners: ['env_1', 'env_2'], ...built(['a', 9]) }]);
  expect([total, Object.fromEntries(owners)]).toEqual([9, { env_1: { own: 0, shared: 9 }, env_2: { own: 0, shared: 9 } }]);
});

test('images that go free each layer once, and none that an image which stays has', () => {
  const going = [built(...base, ['c', 7]), stored(...base, ['c', 7], ['d', 5]), built(['z', 3])];
  expect(freedBytes(going, [built(...base)])).toEqual([7, 5, 3]);
  expect(freedBytes(going, [])).toEqual([127, 5, 3]);
});

describe('what a person would miss of a sandbox', () => {
  test.each([
    ['files, not the folders they are in', ['/opt/tool', '/opt/tool/bin', '/opt/tool/bin/run'], ['/opt/tool/bin/run']],
    ['nothing of what Sandlot itself puts there', ['/home/sandbox/.sandlot/runbook.md', '/tmp/.sandlot-trm_1/tty', '/workspace/x'], []],
    ['nothing of where its secrets are put', ['/run', '/run/secrets'], []],
    ['nothing of the folders that a runtime always names', ['/etc', '/tmp', '/home/sandbox'], []],
    ['a folder that was made empty', ['/opt/empty'], ['/opt/empty']],
  ])('%s', (_name, paths, files) => expect(changedFiles(paths)).toEqual(files));
});
