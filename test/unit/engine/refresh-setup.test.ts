import { expect, test } from 'vitest';
import type { EnvironmentView, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { needsRefresh } from '../../../sandbox-engine/engine/refresh-setup.ts';
import { verdict, verdictKey } from '../../../sandbox-engine/setup/verdict.ts';

const environment = { setup: { script: 'true', timeout_seconds: 60 }, env_vars: {}, recipe_digest: 'r' } as unknown as EnvironmentView;
const keyOf = (part: Partial<EnvironmentView>, runtimeLayer: string) =>
  verdictKey({ ...environment, ...part }, { imageId: 'default', runtimeLayer });
const passed = {
  id: 'run',
  status: 'succeeded',
  phases: [],
  verdict_key: keyOf({}, '1'),
  prepared_image_id: 'sha256:a',
} as unknown as SetupRun;
const failed = { ...passed, status: 'failed', phase: 'setup', prepared_image_id: null } as SetupRun;

test.each([
  ['the same runtime layer', passed, keyOf({}, '1'), false],
  ['another runtime layer', passed, keyOf({}, '2'), true],
  ['another runtime layer and another script', passed, keyOf({ setup: { script: 'false', timeout_seconds: 60 } }, '2'), false],
  ['other variables', passed, keyOf({ env_vars: { A: '1' } }, '1'), false],
  ['another runtime layer after a failed run', failed, keyOf({}, '2'), false],
])('%s: a refresh is needed only when the layer alone changed under a verified setup', (_, newestFinished, key, expected) => {
  const told = verdict({ hasScript: true, key, newestFinished, inFlight: null, interrupted: null, preparedImagePresent: true });
  expect(needsRefresh({ ...environment, setup_verification: told })).toBe(expected);
});
