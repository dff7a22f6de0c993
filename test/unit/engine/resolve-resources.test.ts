import { expect, test } from 'vitest';
import type { Resources } from '../../../sandbox-engine/contract/model.ts';
import { resolveResources } from '../../../sandbox-engine/engine/resolve-resources.ts';

const gib = 1024 ** 3;
const has = { cpus: 2, memoryBytes: 3 * gib };
const named = (size: Resources['size']): Resources => ({ size, cpus: null, memory_gib: null, gpu: false });
const custom = (cpus: number, memory_gib: number): Resources => ({ size: 'custom', cpus, memory_gib, gpu: false });

test.each([
  [named('small'), { cpus: 1, memoryBytes: 2 * gib }],
  [named('medium'), { cpus: 2, memoryBytes: 3 * gib }],
  [named('large'), has],
  [custom(2, 3), has],
  [custom(0.5, 0.5), { cpus: 0.5, memoryBytes: 0.5 * gib }],
])('%j on 2 CPUs and 3 GiB', (resources, expected) => {
  expect(resolveResources(resources, has)).toEqual(expected);
});

test.each([[custom(2.1, 1)], [custom(1, 3.1)]])('%j is more than the runtime has and is refused with both numbers', (resources) => {
  expect(() => resolveResources(resources, has)).toThrow(/asks for .* but the runtime has 2 CPUs and 3\.0 GiB/);
});
