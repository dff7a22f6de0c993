// The book of presets over a real registry file; the tools of an image and the network beyond are the test's. Source: NETWORK.md 1.9, J12.
import { expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import type { Environment, NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';
import { createPresetBook, type PresetBookDeps } from '../../../sandbox-engine/engine/preset-book.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';
import { openHere, temporaryFolder } from '../registry/temporary-folder.ts';

const policy = (...presets: string[]): NetworkPolicy => ({ version: 'v1', rules: [{ action: 'allow', presets: presets as never }] });
const of = (network_policy: NetworkPolicy, more: Partial<Environment> = {}): Environment => ({
  ...exampleEnvironment(1),
  network_policy,
  ...more,
});
const signal = new AbortController().signal;

const house = async () => {
  const { presets: store } = await openHere(await temporaryFolder());
  const world = {
    now: '2026-11-29T10:00:00.000Z',
    registry: 'http://npm.test/',
    tarball: 'https://files.test/x.tgz' as string | null,
    asked: [] as string[],
  };
  const deps: PresetBookDeps = {
    store,
    now: () => world.now,
    askTools: async (_environment, imageId, managers) => {
      world.asked.push(`${imageId} ${managers.join('+')}`);
      return Object.fromEntries(managers.map((id) => [id, id === 'npm' ? [JSON.stringify({ registry: world.registry })] : []]));
    },
    fetchChecked: async ({ allowPrivate }) =>
      world.tarball === null
        ? { ok: false, detail: 'No network.' }
        : {
            ok: true,
            status: 200,
            location: null,
            body: JSON.stringify({ dist: { tarball: allowPrivate ? 'https://private.test/x' : world.tarball } }),
          },
  };
  return { store, world, deps, book: createPresetBook(deps) };
};

const hosts = (presets: Awaited<ReturnType<ReturnType<typeof createPresetBook>['of']>>, id: 'npm' | 'github' | 'mcp-servers') =>
  presets[id]?.hosts.map(({ host }) => host) ?? null;

test('J12: a built-in preset is kept as it was when the policy first named it, and a newer one is taken over only when asked', async () => {
  const { store, book } = await house();
  const environment = of(policy('github'));
  await book.keep(environment);
  const github = builtInPresets().github!;
  const older = { ...github, revision: '2025-01-01', hosts: github.hosts.slice(0, 2) };
  await store.put(environment.id, [{ preset: older, imageId: null }]);
  await book.keep(environment);
  expect(hosts(await book.of(environment), 'github')).toEqual(['github.com', 'api.github.com']);
  expect(hosts(await book.ready(environment, 'sha256:1', signal), 'github')).toHaveLength(2);
  expect(hosts(await book.resolve(environment, 'sha256:1', signal), 'github')).toHaveLength(github.hosts.length);
  await book.keep(of(policy('gitlab')));
  expect((await store.list(environment.id)).map(({ preset }) => preset.id)).toEqual(['gitlab']);
});

test('package managers are asked once an image, and again when the image is another', async () => {
  const { world, book } = await house();
  const environment = of(policy('package-registries'));
  expect(hosts(await book.of(environment), 'npm')).toBeNull();
  expect(hosts(await book.ready(environment, 'sha256:1', signal), 'npm')).toEqual(['npm.test', 'files.test']);
  await book.ready(environment, 'sha256:1', signal);
  expect(world.asked).toEqual(['sha256:1 npm+pip+go+cargo+gem+apt+maven']);
  world.registry = 'https://mirror.test/npm/';
  expect(hosts(await book.ready(environment, 'sha256:2', signal), 'npm')).toEqual(['mirror.test', 'files.test']);
  expect(world.asked).toHaveLength(2);
});

test('offline the last result is used and marked; it is asked again after an hour, not at each start', async () => {
  const { world, book } = await house();
  const environment = of(policy('npm'));
  await book.ready(environment, 'sha256:1', signal);
  world.tarball = null;
  const offline = await book.ready(environment, 'sha256:2', signal);
  expect([hosts(offline, 'npm'), offline.npm?.state]).toEqual([['npm.test', 'files.test'], 'last_known']);
  world.now = '2026-11-29T10:59:59.000Z';
  await book.ready(environment, 'sha256:2', signal);
  expect(world.asked).toHaveLength(2);
  world.now = '2026-11-29T11:00:00.000Z';
  world.tarball = 'https://moved.test/x.tgz';
  const again = await book.ready(environment, 'sha256:2', signal);
  expect([world.asked.length, hosts(again, 'npm'), again.npm?.state]).toEqual([3, ['npm.test', 'moved.test'], 'current']);
});

test('an image that cannot be asked starts all the same and opens what was known, or nothing', async () => {
  const { deps, book } = await house();
  const environment = of(policy('npm'));
  await book.ready(environment, 'sha256:1', signal);
  const broken = createPresetBook({
    ...deps,
    askTools: async () => {
      throw new SandlotError('runtime_error', 'exec: "bash": not found');
    },
  });
  const known = await broken.ready(environment, 'sha256:2', signal);
  expect([hosts(known, 'npm'), known.npm?.state, known.npm?.notes]).toEqual([
    ['npm.test', 'files.test'],
    'last_known',
    ['The image could not be asked: exec: "bash": not found'],
  ]);
  const never = await broken.ready({ ...environment, id: 'env_other' }, 'sha256:2', signal);
  expect([hosts(never, 'npm'), never.npm?.state]).toEqual([[], 'unresolved']);
});

test('a runtime that is away, or a launch that is given up, is no answer', async () => {
  const { deps } = await house();
  const away = createPresetBook({ ...deps, askTools: () => Promise.reject(new SandlotError('runtime_unavailable', 'away')) });
  await expect(away.ready(of(policy('npm')), 'sha256:1', signal)).rejects.toMatchObject({ code: 'runtime_unavailable' });
  const given = new AbortController();
  const slow = createPresetBook({
    ...deps,
    askTools: () => {
      given.abort(new SandlotError('cancelled', 'given up'));
      return Promise.reject(new SandlotError('runtime_error', 'cut'));
    },
  });
  await expect(slow.ready(of(policy('npm')), 'sha256:1', given.signal)).rejects.toMatchObject({ code: 'cancelled' });
});

test('a rule that allows private addresses lets its registries be asked there', async () => {
  const { book } = await house();
  const rules = [{ action: 'allow' as const, presets: ['package-registries' as const], allow_private: true }];
  expect(hosts(await book.ready(of({ version: 'v1', rules }), 'sha256:1', signal), 'npm')).toEqual(['npm.test', 'private.test']);
});

test("the environment's servers are looked at anew each time, and nobody is asked for a policy that names no manager", async () => {
  const { world, book } = await house();
  const environment = of(policy('mcp-servers', 'github'), { mcp_servers: { docs: { url: 'https://mcp.test' } } });
  expect(hosts(await book.ready(environment, 'sha256:1', signal), 'mcp-servers')).toEqual(['mcp.test']);
  expect(hosts(await book.of({ ...environment, mcp_servers: {} }), 'mcp-servers')).toEqual([]);
  await book.ready(of({}), 'sha256:1', signal);
  expect(world.asked).toEqual([]);
});
