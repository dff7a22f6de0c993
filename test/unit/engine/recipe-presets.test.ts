// Whose tools are asked. A setup script that could answer for the registries would write its own policy.
import { expect, test } from 'vitest';
import type { Environment, EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { recipePresets } from '../../../sandbox-engine/engine/recipe-presets.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';

const withPreset = (id: 'npm' | 'github'): Environment => ({
  ...exampleEnvironment(1),
  network_policy: { version: 'v1', rules: [{ action: 'allow', presets: [id] }] },
});

const ask = async (environment: Environment, state: EnvironmentView['image']['state']): Promise<string[]> => {
  const asked: string[] = [];
  const view = {
    ...environment,
    image: { state, image_id: 'the pinned image', build_id: null, message: '' },
    setup_verification: { can_start_sessions: true, prepared_image_id: 'what the setup script left' },
  } as unknown as EnvironmentView;
  const registry = { environments: { find: async () => environment } };
  const presets = {
    of: async () => void asked.push('nobody') as never,
    ready: async ({ runtime }: Environment, imageId: string) => void asked.push(`${imageId} on ${runtime}`) as never,
  };
  const book = recipePresets({ registry, presets } as never, { of: async () => view }, async () => 'the default base');
  await book.ready({ ...environment, runtime: 'elsewhere' }, 'what the setup script left', new AbortController().signal);
  return asked;
};

test('the tools of the pinned image are asked, else those of the default base, never those of a prepared image', async () => {
  expect(await ask(withPreset('npm'), 'active')).toEqual(['the pinned image on docker']);
  expect(await ask(withPreset('npm'), 'stale')).toEqual(['the default base on docker']);
  expect(await ask(withPreset('npm'), 'none')).toEqual(['the default base on docker']);
});

test('nobody is asked for a policy that names no package manager', async () => {
  expect(await ask(withPreset('github'), 'active')).toEqual(['nobody']);
});
