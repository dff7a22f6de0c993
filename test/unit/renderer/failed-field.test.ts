// What a failed build says of a field of the recipe.
import { expect, test } from 'vitest';
import { failedField } from '../../../renderer/src/environment/failed-field.ts';
import type { Build } from '../../../sandbox-engine/contract/model.ts';

const recipe = {
  packages: { apt: ['jq', 'treee'], pip: ['ruff==0.6.9'] },
  initialize: [{ name: 'Write a config', run: 'mkdir -p /etc/demo\necho red > /etc/dem/config' }],
} as unknown as Parameters<typeof failedField>[1];
const failed = (failed_step: string | null, said: string) =>
  ({ failed_step, error: { message: `Its command ended with exit code 1: ${said}` } }) as unknown as Build;

test.each([
  ['apt packages', 'E: Unable to locate package treee', null, '“treee” failed in the last build: E: Unable to locate package treee'],
  ['pip packages', 'No matching distribution found for ruff==0.6.9', null, /^“ruff==0\.6\.9” failed in the last build: No matching/],
  ['apt packages', 'E: Unable to fetch some archives', null, 'Failed in the last build: E: Unable to fetch some archives'],
  ['Write a config', 'step-1: line 2: /etc/dem/config: No such file', 2, 'Line 2 failed in the last build: /etc/dem/config: No such file'],
  ['Write a config', 'curl: (6) no host', null, 'Failed in the last build: curl: (6) no host'],
])('%s: %s', (step, said, line, text) => {
  const found = failedField(failed(step, said), recipe, recipe);
  expect([found?.step, found?.line]).toEqual([step, line]);
  expect(found?.text).toMatch(text);
});

test('a field that is being mended says nothing of the build any more; another one being edited changes nothing', () => {
  const mended = { ...recipe, packages: { ...recipe.packages, apt: ['jq', 'tree'] } };
  const build = failed('apt packages', 'E: Unable to locate package treee');
  const other = failed('Write a config', 'step-1: line 2: no');
  expect([failedField(build, recipe, mended), failedField(other, recipe, mended)?.line]).toEqual([null, 2]);
});

test('a step that the recipe does not name is nowhere', () => {
  expect([failedField(failed('Boot test', 'no'), recipe, recipe), failedField(failed(null, 'no'), recipe, recipe)]).toEqual([null, null]);
});
