// Building saves what is edited first: what is built is what the page shows.
import { act } from 'react';
import { expect, test } from 'vitest';
import { EnvironmentActions } from '../../../renderer/src/environment/EnvironmentActions.tsx';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { button } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const environment = {
  ...{ id: 'env_1', name: 'web', revision: 3, archived_at: null, active_build_id: null, privileged: false, runtime: 'docker' },
  ...{ network_policy: {}, image: { state: 'none' }, setup_verification: { can_start_sessions: true } },
} as unknown as EnvironmentView;
const draft = { revision: 3, patch: { recipe_yaml: 'base: bun' } };
const started = { ok: true, value: { id: 'bld_1' } };
const refused = { ok: false, error: { code: 'invalid_recipe', message: 'No such base.', next_action: null, details: {} } };
const saving = ['environments.update', { environment_id: 'env_1', patch: { recipe_yaml: 'base: bun', revision: 3 } }];
const building = ['builds.start', { environment_id: 'env_1', pin: true }];

test.each<[string, object, object, string, unknown[]]>([
  ['without edits it only builds', {}, started, 'Build & pin', [building]],
  ['edits are saved first', { env_1: draft }, { ok: true, value: environment }, 'Save, build & pin', [saving, building]],
  ['edits that are refused build nothing', { env_1: draft }, refused, 'Save, build & pin', [saving]],
])('%s', async (_, drafts, saved, label, expected) => {
  const known = { environments: { env_1: environment }, drafts } as never;
  const { asked } = await drawOver(<EnvironmentActions environment={environment} obstacle={null} />, known, {
    'environments.update': () => saved,
    'builds.start': () => started,
  });
  await act(async () => button(label).click());
  expect(asked.map(({ name, input }) => [name, input])).toEqual(expected);
});
