import { expect, test } from 'vitest';
import { chainOf } from '../../../renderer/src/environment/chain-links.ts';
import type { Build, EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';

const environment = {
  recipe: { base: 'debian', packages: { apt: ['jq'], pip: [] }, initialize: [{}, {}] },
  image: { state: 'none', build_id: null, image_id: null },
  setup: null,
  setup_verification: { label: 'Ready', last_run: null },
} as unknown as EnvironmentView;
const build = (more: object) => ({ status: 'succeeded', failed_step: null, steps: [], image_size: 1_048_576, ...more }) as unknown as Build;
const words = (view: object, builds: Build[] = [], sessions: object[] = []) =>
  chainOf({ ...environment, ...view } as EnvironmentView, { builds, pinned: builds[0], sessions: sessions as Session[] }).map(
    ({ name, word, detail, tone }) => [name, word, detail, tone].join('|'),
  );

test('an environment that was only made has a recipe and nothing else', () => {
  expect(words({})).toEqual([
    'Recipe|debian|1 package, 2 steps|ok',
    'Build|Not built||plain',
    'Image|Default base||plain',
    'Pin|None||plain',
    'Setup|No script||plain',
    'Sessions|None running||plain',
  ]);
});

test('one that is proven and at work says so at each stage', () => {
  const image = { state: 'active', build_id: 'bld_1', image_id: 'sha256:1' };
  const verified = { setup: { script: 'true' }, setup_verification: { label: 'Verified', last_run: null } };
  expect(words({ image, ...verified }, [build({})], [{ status: 'running' }, { status: 'stopped' }]).slice(1)).toEqual([
    'Build|Succeeded||ok',
    'Image|1.0 MiB||ok',
    'Pin|Pinned||ok',
    'Setup|Verified||ok',
    'Sessions|1 running||ok',
  ]);
});

test('what is broken names the step, the line, and what is older', () => {
  const image = { state: 'stale', build_id: 'bld_1', image_id: 'sha256:1' };
  const failed = { setup: { script: 'false' }, setup_verification: { label: 'Failed', last_run: { failed_line: 3 } } };
  expect(words({ image, ...failed }, [build({ status: 'failed', failed_step: 'Install jq' })]).slice(1, 5)).toEqual([
    'Build|Failed|Install jq|bad',
    'Image|1.0 MiB||ok',
    'Pin|Stale|the recipe is newer|warn',
    'Setup|Failed|line 3|bad',
  ]);
});

test('a verdict of a run that was kept from something says so', () => {
  const kept = { label: 'Verified', last_run: null, blocked: { destinations: 2, setup_run_id: 'run_1' } };
  expect(words({ setup: { script: 'true' }, setup_verification: kept })[4]).toBe('Setup|Verified|2 blocked|ok');
});
