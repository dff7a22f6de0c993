// How many connections there are descriptors for.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { egressLimits, fitToFiles, readMostFiles } from '../../../sandbox-engine/egress/limits.ts';

test('the limit of open files is read as Linux says it', () => {
  const text =
    'Limit                     Soft Limit           Hard Limit           Units     \nMax open files            20000                1048576              files     \n';
  expect(readMostFiles(text)).toBe(20_000);
  expect(readMostFiles(text.replace('20000    ', 'unlimited'))).toBeNull();
  expect(readMostFiles('')).toBeNull();
});

test.skipIf(process.platform !== 'linux')('this machine says its own', () => {
  expect(readMostFiles(readFileSync('/proc/self/limits', 'utf8'))).not.toBeUndefined();
});

test.each([
  [null, 8_192, 2_048],
  [1_048_576, 8_192, 2_048],
  [20_000, 8_192, 2_048],
  [8_192, 3_584, 2_048],
  [4_096, 1_536, 1_536],
  [1_024, 256, 256],
])('where %s files may be open all sandboxes have %s connections, and one %s', (files, connections, connectionsOfSandbox) => {
  expect(fitToFiles(egressLimits, files)).toEqual({ ...egressLimits, connections, connectionsOfSandbox });
});
