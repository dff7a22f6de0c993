// What the bar says that saving does: only of what there is.
import { expect, test } from 'vitest';
import { effectOf } from '../../../renderer/src/environment/SaveBar.tsx';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';

const of = (state: 'none' | 'active', status: 'failed' | 'verified'): EnvironmentView =>
  ({
    image: { state },
    setup: { script: 'make', timeout_seconds: 60 },
    setup_verification: { status, stale: false, last_run: { id: 'run_1' } },
  }) as unknown as EnvironmentView;

test.each([
  ['recipe_yaml', 'none', 'verified', 'A changed base, env, package or build step comes into an image with the next build.'],
  ['recipe_yaml', 'active', 'verified', 'A changed base, env, package or build step makes the pinned image stale until you build again.'],
  ['env_vars', 'active', 'verified', 'Setup must be tested again before a new session can start.'],
  ['env_vars', 'active', 'failed', 'Test setup again after that.'],
] as const)('a change of %s with image %s and setup %s', (field, state, status, words) => {
  expect(effectOf({ patch: { [field]: '' }, environment: of(state, status) })).toBe(words);
});
