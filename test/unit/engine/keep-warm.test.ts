// When another sandbox must stand ready, and when none may.
import { expect, test } from 'vitest';
import { leastFree, warmKey } from '../../../sandbox-engine/engine/keep-warm.ts';
import type { LaunchPlan } from '../../../sandbox-engine/session/session-parts.ts';
import { anEnvironment, aPlan } from '../../runtime/support/session-house.ts';

const environment = anEnvironment();
const plan = aPlan(environment, 'sha256:a');

test.each([
  ['another image', { image: 'sha256:b' }],
  ['other memory', { memoryBytes: 1 }],
  ['another part of the configuration', { config: { variables: 'x' } }],
  ['other rules', { environment: { ...environment, network_policy: { version: 'v1', rules: [] } } }],
  ['another name, which its labels carry', { environment: { ...environment, name: 'other' } }],
] as [string, Partial<LaunchPlan>][])('%s is another sandbox', (_, part) => {
  expect(warmKey({ ...plan, ...part })).not.toBe(warmKey(plan));
});

test.each([
  ['a description', { environment: { ...environment, description: 'new', revision: 2 } }],
  ['the name of one session', { name: 'mine' }],
] as [string, Partial<LaunchPlan>][])('%s changes nothing', (_, part) => {
  expect(warmKey({ ...plan, ...part })).toBe(warmKey(plan));
});

test.each([
  [24 * 1024 ** 3, 1024 ** 3],
  [4 * 1024 ** 3, 256 * 1024 ** 2],
])('of %d bytes %d must be free', (total, least) => {
  expect(leastFree(total)).toBe(least);
});
