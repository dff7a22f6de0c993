// The builds of an environment whose address names one: it is read when the window has not got it, and told when it is not there.
import { beforeEach, expect, test } from 'vitest';
import { BuildsTab } from '../../../renderer/src/environment/BuildsTab.tsx';
import type { Editing } from '../../../renderer/src/store/actions.ts';
import type { AppStore } from '../../../renderer/src/store/store.ts';
import type { Build, EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { type Answers, drawOver } from './drawn-app.tsx';

const environment = { id: 'env_1', name: 'web', image: { state: 'none', build_id: null } } as unknown as EnvironmentView;
const editing = { environment, patch: {}, isDirty: false } as unknown as Editing;
const latest = {
  ...{ id: 'bld_latest', environment_id: 'env_1', status: 'queued', fingerprint: 'abc', base: 'debian', steps: [] },
  ...{ created_at: '2026-11-29T10:00:00.000Z', started_at: null, finished_at: null, stream_id: null, image_size: null },
} as unknown as Build;

/** Nothing was written to any. */
const noStreams = {
  source: (id: string) => ({ id, read: async () => null, watch: () => () => undefined }),
} as unknown as AppStore['streams'];
const ok = (value: unknown) => ({ ok: true, value });
const notFound = () => ({ ok: false, error: { code: 'not_found', message: 'There is no such build.', next_action: null } });
const said = () => document.querySelector('.gone-note')?.textContent;

const open = async (named: string, builds: Build[], get: Answers['builds.get']) => {
  location.hash = `#/environments/env_1/builds?build=${named}`;
  const known = { seq: 1, environments: { env_1: environment }, builds: Object.fromEntries(builds.map((build) => [build.id, build])) };
  const answers = { 'builds.list': () => ok({ builds, next_cursor: null }), ...(get && { 'builds.get': get }) };
  return (await drawOver(<BuildsTab editing={editing} />, known, answers, { streams: noStreams })).asked.filter(
    ({ name }) => name === 'builds.get',
  );
};

beforeEach(() => {
  location.hash = '';
});

test('a build that is not there is told, with what is shown instead', async () => {
  await open('bld_gone', [latest], notFound);
  expect(said()).toBe('There is no build bld_gone here any more; this is the latest.');
});

test('where nothing was built it is told too', async () => {
  await open('bld_gone', [], notFound);
  expect(said()).toBe('There is no build bld_gone here any more; there is none yet.');
});

test('one that is there is not asked for, and nothing is said', async () => {
  expect([await open('bld_latest', [latest], undefined), said()]).toEqual([[], undefined]);
});

test('before the host has answered nothing is called gone', async () => {
  const asked = await open('bld_old', [latest], () => new Promise(() => undefined));
  expect([asked.map(({ input }) => input), said()]).toEqual([[{ build_id: 'bld_old' }], undefined]);
});
