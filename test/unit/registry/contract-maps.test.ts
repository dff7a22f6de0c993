import { expect, test } from 'vitest';
import { environmentCreate, environmentPatch } from '../../../sandbox-engine/contract/calls.ts';

const maps = JSON.parse('{"name":"a","env_vars":{"__proto__":"x","B":"1"},"metadata":{"__proto__":"y"}}') as unknown;

test('the contract keeps a key named __proto__ in maps of strings', () => {
  expect(JSON.stringify(environmentCreate.parse(maps))).toBe(
    '{"env_vars":{"__proto__":"x","B":"1"},"name":"a","metadata":{"__proto__":"y"}}',
  );
});

test.each([
  [{ name: 'a', env_vars: { A: 1 } }, ['env_vars', 'A']],
  [{ name: 'a', env_vars: [] }, ['env_vars']],
  [{ name: 'a', metadata: { A: null } }, ['metadata', 'A']],
  [{ name: 'x'.repeat(257) }, ['name']],
])('%j is refused at %j', (body, path) => {
  expect(environmentCreate.safeParse(body).error?.issues.map((issue) => issue.path)).toEqual([path]);
});

test('a name of 256 emoji is accepted, and null removes metadata in a patch', () => {
  expect(environmentCreate.safeParse({ name: '🚀'.repeat(256) }).success).toBe(true);
  expect(environmentPatch.safeParse({ metadata: { a: null } }).success).toBe(true);
});
