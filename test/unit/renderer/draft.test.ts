// Unsaved edits: what counts as one, and what is sent to save them.
import { expect, test } from 'vitest';
import { putDraft, rebaseDraft, savePatch } from '../../../renderer/src/store/draft.ts';
import { emptyState } from '../../../renderer/src/store/state.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';

const environment = {
  id: 'env_1',
  name: 'box',
  revision: 4,
  network_policy: { version: 'v1', rules: [] },
  privileged: false,
  resources: { size: 'medium', cpus: 2, memory_gib: 4, gpu: false },
} as unknown as EnvironmentView;

test('a field that is edited back to what is stored is no edit', () => {
  const edited = putDraft(emptyState, environment, { name: 'other' });
  expect(putDraft(edited, environment, { name: 'box' }).drafts).toEqual({});
});

test('choosing the stored size again is no edit, though the stored one also carries its numbers', () => {
  expect(putDraft(emptyState, environment, { resources: { size: 'medium', gpu: false } }).drafts).toEqual({});
});

test('an edit keeps the revision it was begun on when the environment moves on', () => {
  const edited = putDraft(emptyState, environment, { name: 'mine' });
  const later = putDraft(edited, { ...environment, revision: 5 }, { description: 'more' });
  expect(later.drafts['env_1']).toEqual({ revision: 4, patch: { name: 'mine', description: 'more' } });
});

test('keeping mine means the edits from then on count for the newer revision', () => {
  const edited = putDraft(emptyState, environment, { name: 'mine' });
  expect(rebaseDraft(edited, 'env_1', 9).drafts['env_1']).toEqual({ revision: 9, patch: { name: 'mine' } });
});

test.each([
  [{ network_policy: {} }, true],
  [{ privileged: true }, true],
  [{ name: 'x' }, false],
])('%j carries the access that was seen: %s', (patch, carries) => {
  expect('expected_access' in savePatch(environment, { revision: 4, patch })).toBe(carries);
});
