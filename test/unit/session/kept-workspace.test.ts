// What a new sandbox does with a workspace that was there before: work is never cloned over, and half a repository is told from a whole one.
import { describe, expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { isRepoCut, isThere } from '../../../sandbox-engine/session/fill-workspace.ts';

describe('a look into the place of the repository', () => {
  test.each([
    [0, true],
    [1, false],
  ])('that ends with %s says %s', (exitCode, there) => expect(isThere(exitCode)).toBe(there));

  test.each([null, 2, 126, 127, 137])('that ends with %s says nothing, so nothing is brought', (exitCode) => {
    expect(() => isThere(exitCode)).toThrow('It could not be seen whether the repository is there, so it was left as it was.');
  });
});

const start: NonNullable<Session['workspace_start']> = { root: '/workspace/app', kind: 'repository', commit: 'a'.repeat(40), head: null };
const step = (status: Session['steps'][number]['status']) => [
  { name: 'repository', status, started_at: '2026-11-30T06:00:00.000Z', duration_ms: null },
];

test.each<[string, Pick<Session, 'workspace_start' | 'steps'>, boolean]>([
  ['one whose beginning was written down', { workspace_start: start, steps: step('failed') }, false],
  ['one that was brought, where git could not say how it began', { steps: step('succeeded') }, false],
  ['one that was cut off', { steps: step('failed') }, true],
  ['one that is being brought', { steps: step('running') }, true],
  ['one of which nothing was written down', { steps: [] }, true],
])('%s may be half there: %s', (_name, session, isCut) => {
  expect(isRepoCut(session)).toBe(isCut);
});
