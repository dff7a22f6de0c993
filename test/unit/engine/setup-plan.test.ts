import { expect, test } from 'vitest';
import type { Environment, EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { createSetupPlan } from '../../../sandbox-engine/engine/setup-plan.ts';

const environment = { id: 'env', runtime: 'docker', resources: { size: 'small' } } as unknown as Environment;

const planned = async (state: EnvironmentView['image']['state']): Promise<{ imageId: string; lines: string[] }> => {
  const ground = {
    registry: { environments: { find: async () => environment } },
    runtimes: { info: async () => ({ cpus: 2, memoryBytes: 4e9 }) },
  } as unknown as Parameters<typeof createSetupPlan>[0];
  const view = { ...environment, recipe_digest: 'a recipe', image: { state, image_id: 'pinned' } } as unknown as EnvironmentView;
  const views = { of: async () => view } as unknown as Parameters<typeof createSetupPlan>[2];
  const plan = createSetupPlan(ground, {} as Parameters<typeof createSetupPlan>[1], views, async () => 'base');
  const lines: string[] = [];
  const { imageId } = await plan(environment, new AbortController().signal, (line) => lines.push(line));
  return { imageId, lines };
};

test.each(['missing', 'stale', 'none'] as const)('a pin that is %s: the log says that the default base is used, and why', async (state) => {
  const { imageId, lines } = await planned(state);
  expect(imageId).toBe('base');
  expect(lines).toEqual([expect.stringMatching(/default base, without the recipe/)]);
});

test('an active image is used without a word', async () => {
  expect(await planned('active')).toEqual({ imageId: 'pinned', lines: [] });
});
