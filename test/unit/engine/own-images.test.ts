import { expect, test } from 'vitest';
import type { ImageDetails } from '../../../sandbox-engine/container/container-runtime.ts';
import { freedBy } from '../../../sandbox-engine/engine/own-images.ts';

const image = (id: string, layers: string[]) => ({ id, layers, labels: {}, tags: [] }) as unknown as ImageDetails;

const base = image('base', ['debian', 'user']);
const built = image('built', ['debian', 'user', 'step']);
const steps: Record<string, number[]> = { base: [100, 20], built: [100, 20, 7], other: [50] };

test.each<[string, ImageDetails[], number]>([
  ['the layers of a base that nobody of this data folder owns stay', [base, built, image('other', ['alpine'])], 7],
  ['an image that goes in this moment keeps nothing', [image('gone', ['debian']), base, built], 7],
  ['without that base they go, too', [built, image('other', ['alpine'])], 127],
])('%s', async (_name, all, freed) => {
  const runtime = {
    listImages: async () => all,
    imageSteps: async (id: string) => steps[id] ?? Promise.reject(new Error('no such image')),
  };
  expect(await freedBy(runtime, [built])).toEqual([freed]);
});
