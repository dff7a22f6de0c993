// How many connections there are descriptors for, and how much may wait where the kernel has little memory for TCP.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  egressLimits,
  fitToFiles,
  fitToMemory,
  kernelMemoryHere,
  readKernelMemory,
  readMostFiles,
} from '../../../sandbox-engine/egress/limits.ts';

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

test('the memory that the kernel has for TCP is read as Linux says it, in pages', () => {
  expect(readKernelMemory('287898\t383866\t575796\n')).toBe(287_898 * 4_096);
  expect([readKernelMemory(''), readKernelMemory('a b c'), readKernelMemory('1 2')]).toEqual([null, null, null]);
});

test.skipIf(process.platform !== 'linux')('this machine says its own memory', () => {
  expect(kernelMemoryHere()).toBeGreaterThan(0);
});

const mebibyte = 1_048_576;
test.each([
  [null, 512, 256],
  [8_192, 512, 256],
  [1_024, 512, 256],
  [400, 200, 100],
])(
  'where the kernel gives away %s MiB without a thought, %s wait for all sandboxes and %s for one',
  (memory, waiting, waitingOfSandbox) => {
    const fitted = fitToMemory(egressLimits, memory === null ? null : memory * mebibyte);
    expect(fitted).toEqual({ ...egressLimits, waiting: waiting * mebibyte, waitingOfSandbox: waitingOfSandbox * mebibyte });
  },
);
