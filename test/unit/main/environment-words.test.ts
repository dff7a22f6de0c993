// The command line and the window call one thing by one name.
import { expect, test } from 'vitest';
import { imageWords, resourceWords } from '../../../main/cli/environment-words.ts';
import { resourceText } from '../../../renderer/src/ui/resource-text.ts';
import type { Resources } from '../../../sandbox-engine/contract/model.ts';

test.each([
  [{ size: 'small' }, '1 CPU · 2 GiB'],
  [{ size: 'medium', gpu: true }, '2 CPU · 4 GiB · GPU'],
  [{ size: 'large' }, 'Whole runtime'],
  [{ size: 'custom', cpus: 3, memory_gib: 6 }, '3 CPU · 6 GiB'],
] as unknown as [Resources, string][])('%j is %s', (resources, words) => {
  expect([resourceWords(resources), resourceText(resources)]).toEqual([words, words]);
});

test('the pinned image of an environment is called pinned', () => {
  expect(imageWords).toEqual({ active: 'pinned', stale: 'stale', missing: 'missing', none: 'not built' });
});
