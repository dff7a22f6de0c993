// `sandlot up` does what is missing and nothing twice.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;

/** A registry of one environment, and what was done to it. */
const open = async (setupStatus = 'succeeded') => {
  const did: string[] = [];
  let environment: Record<string, unknown> | null = null;
  let isBuilt = false;
  let made = 0;
  let isProved = false;
  const view = () =>
    ({
      ...{ recipe: {}, resources: {}, secrets: [], secret_files: [] },
      ...environment,
      ...{ image: { state: isBuilt ? 'active' : 'none' }, setup_verification: { can_start_sessions: isProved } },
    }) as never;
  const run = () => ({ id: id('run'), status: setupStatus, hint: 'pip: not found' }) as never;
  const small = await startSmallHost(undefined, () => ({
    'environments.list': async ({ metadata }) => ({
      environments:
        environment !== null && (environment['metadata'] as Record<string, string>)['sandlot.file'] === metadata?.['sandlot.file']
          ? Array.from({ length: made }, view)
          : [],
      next_cursor: null,
      total: 1,
    }),
    'environments.get': async () => view(),
    'environments.create_from_file': async ({ contents, file_name, metadata = {} }) => {
      did.push(`create ${file_name}`);
      made += 1;
      environment = { id: id('env'), name: 'web', recipe_yaml: contents, metadata, network_policy: {}, privileged: false };
      return view();
    },
    'environments.update_from_file': async ({ contents, metadata, expected_access }) => {
      did.push(`update from file, access ${JSON.stringify(expected_access)}`);
      isBuilt = false;
      environment = { ...environment, recipe_yaml: contents, metadata };
      return view();
    },
    'builds.start': async () => {
      did.push('build');
      isBuilt = true;
      return { id: id('bld'), status: 'succeeded', stream_id: id('str') } as never;
    },
    'pins.create': async () => {
      did.push('pin');
      return {} as never;
    },
    'builds.get': async () => ({ id: id('bld'), status: 'succeeded' }) as never,
    'stream.read': async ({ from }) => ({ data: '', from, next: from, start: 0, size: from, ended: true }),
    'setup_runs.create': async () => {
      did.push('setup');
      isProved = setupStatus === 'succeeded';
      return run();
    },
    'setup_runs.get': async () => run(),
    'setup_runs.logs': async () => ({ lines: [], next_after: 0, truncated: false, status: setupStatus as 'succeeded' }),
    'sessions.launch': async () => {
      did.push('launch');
      return { id: id('ses'), status: 'running', steps: [] } as never;
    },
    'sessions.get': async () => ({ id: id('ses'), name: 's', status: 'running', steps: [], fallback: null, message: null }) as never,
  }));
  const file = join(await temporaryFolder(), 'web.yml');
  await writeFile(file, 'base: debian\n');
  const up = async () => await runSandlot(small.dataFolder, ['up', file, '-o', 'json']);
  const create = async () => await runSandlot(small.dataFolder, ['env', 'create', '--file', file]);
  return { did, file, up, create };
};

test('the first time it makes, builds, proves and launches; the second time it only launches; a changed file is built again', async () => {
  const { did, file, up } = await open();
  const first = await up();
  expect([first.code, (JSON.parse(first.stdout) as { status: string }).status], first.stderr).toEqual([0, 'running']);
  expect(did.splice(0)).toEqual([expect.stringMatching(/^create [^/]+\/web.yml$/), 'build', 'pin', 'setup', 'launch']);
  expect([(await up()).code, did.splice(0)]).toEqual([0, ['launch']]);
  await writeFile(file, 'base: python\n');
  expect([(await up()).code, did.splice(0)]).toEqual([
    0,
    ['update from file, access {"network_policy":{},"privileged":false}', 'build', 'pin', 'launch'],
  ]);
});

test('it takes the environment that was made of the file by itself, and asks which one where there are two', async () => {
  const { did, up, create } = await open();
  expect([(await create()).code, (await up()).code, did.splice(0).slice(1)]).toEqual([0, 0, ['build', 'pin', 'setup', 'launch']]);
  await create();
  const { code, stderr } = await up();
  expect([code, stderr.includes('2 environments were made of'), stderr.includes(id('env')), did.splice(0).length]).toEqual([
    2,
    true,
    true,
    1,
  ]);
});

test('a setup that fails ends it with 1, says why, and launches nothing', async () => {
  const { did, up } = await open('failed');
  const { code, stdout, stderr } = await up();
  expect([code, stderr.includes('pip: not found'), did.includes('launch')]).toEqual([1, true, false]);
  expect((JSON.parse(stdout) as { id: string }).id).toBe(id('run'));
});
