// Builds whose answer is HTTP 200 and all the same no image: through the whole builder, with a fake daemon at the other end.
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createIds } from '../../../sandbox-engine/base/ids.ts';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { createLabels } from '../../../sandbox-engine/container/labels.ts';
import type { Build } from '../../../sandbox-engine/contract/model.ts';
import { createBaseImages } from '../../../sandbox-engine/image/base-image.ts';
import { createBuilds } from '../../../sandbox-engine/image/build-image.ts';
import { createImagePresence } from '../../../sandbox-engine/image/image-presence.ts';
import { createPins } from '../../../sandbox-engine/image/pin.ts';
import { checkBeforePull } from '../../../sandbox-engine/image/registry-manifest.ts';
import { recipeDigest } from '../../../sandbox-engine/recipe/digest.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';
import { createEnvironment } from '../../../sandbox-engine/registry/environment-rules.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';
import type { FakeBehaviour, FakeDaemon } from '../../fakes/docker-daemon.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

const newId = createIds(Date.now);
const recipeYaml = 'base: debian:bookworm-slim\ninitialize:\n  - {name: mark, run: echo mark}\n';
let folder = '';
let daemon: FakeDaemon;
const closers: (() => unknown)[] = [];

const openHouse = async (behaviour: Partial<FakeBehaviour>) => {
  daemon = await startFakeDaemon(join(folder, 'd.sock'), {
    images: { 'docker.io/library/debian:bookworm-slim': 'sha256:base', 'sandlot/base:*': 'sha256:layered', 'sha256:old': 'sha256:old' },
    ...behaviour,
  });
  const connection = { kind: 'socket', address: daemon.address, socketPath: daemon.socketPath } as const;
  const runtime = createDockerRuntime({ id: 'docker', kind: 'docker', connection });
  const registry = await openRegistry({ folder, clock: systemClock });
  const streams = createStreamStore({ folder: join(folder, 'streams'), onGrew: () => undefined });
  closers.push(daemon.close, runtime.close, registry.close, streams.close);
  const runtimeOf = () => runtime;
  const presence = createImagePresence(runtimeOf);
  const ground = { makeLabels: createLabels('home', 'owner'), newId, architectureOf: async () => 'amd64', clock: systemClock };
  const bases = createBaseImages({ ...ground, checkBeforePull, authorities: async () => [], bootstrap: async () => 'never' });
  const rooms = { store: registry.builds, streams, presence, bases, runtimeOf };
  const builds = createBuilds({ ...ground, ...rooms, redactText: (text) => text, emit: () => undefined });
  const pins = createPins({
    ...ground,
    pins: registry.pins,
    builds: registry.builds,
    presence,
    secretGate: async () => null,
    emit: () => undefined,
  });
  closers.push(builds.close);
  const { recipe, sessionStart, knowledge } = parseRecipe(recipeYaml);
  const made = createEnvironment(
    { name: 'faults', runtime: 'docker' },
    {
      ...{ id: newId('env'), now: systemClock.iso(), defaultRuntime: 'docker', setupWarnings: [] },
      ...{ recipeYaml, recipe, sessionStart, knowledge, recipeDigest: recipeDigest(recipe) },
    },
  );
  const environment = await registry.environments.insert(made);
  const logOf = async (build: Build) => (await streams.read(build.stream_id, 0, 1_000_000)).bytes.toString();
  return { registry, builds, pins, environment, logOf };
};

type House = Awaited<ReturnType<typeof openHouse>>;

/** An earlier build of the environment that is its Active Image. */
const pinEarlier = async ({ registry, pins, environment }: House): Promise<void> => {
  const passed = { passed: true, checks: [], duration_ms: 1 } as unknown as Build['boot_test'];
  const earlier: Build = {
    ...{ id: newId('bld'), environment_id: environment.id, status: 'succeeded', fingerprint: 'f', recipe_digest: 'older' },
    ...{ recipe_yaml: 'base: debian:bookworm-slim\n', runtime: 'docker', base: 'debian:bookworm-slim', base_digest: 'sha256:base' },
    ...{ steps: [], failed_step: null, error: null, image_id: 'sha256:old', image_size: 1, boot_test: passed, reused_build_id: null },
    ...{ stream_id: newId('str'), created_at: systemClock.iso(), started_at: systemClock.iso(), finished_at: systemClock.iso() },
  };
  await registry.builds.save(earlier);
  await pins.pin(earlier.id);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-faults-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

const records = [{ stream: 'first words\n' }, { stream: 'second words\n' }];

test.each([
  ['an error record', { buildEnd: 'clean', more: [{ errorDetail: { message: 'the disk fell out' }, error: 'x' }] }, /^the disk fell out$/],
  ['a clean end without an image', { buildEnd: 'clean', more: [] }, /the runtime closed the connection/],
  ['a reset', { buildEnd: 'reset', more: [] }, /the runtime closed the connection/],
] as const)('a build that answers 200 and then %s has failed within 5 s, keeps its log, and changes no pin', async (_name, end, words) => {
  const house = await openHouse({ buildRecords: [...records, ...end.more], buildEnd: end.buildEnd });
  await pinEarlier(house);
  const before = await house.pins.imageState(house.environment);
  expect(before).toMatchObject({ image_id: 'sha256:old' });
  const began = performance.now();
  const build = await house.builds.finished((await house.builds.start(house.environment, { noCache: false })).id);
  expect(performance.now() - began).toBeLessThan(5000);
  expect(build).toMatchObject({ status: 'failed', image_id: null, error: { code: 'build_failed', message: expect.stringMatching(words) } });
  expect(await house.logOf(build)).toMatch(/first words\n(.*\n)*second words\n/);
  await expect(house.pins.pin(build.id)).rejects.toMatchObject({ code: 'build_not_pinnable' });
  expect((await house.pins.imageState(house.environment)).image_id).toBe('sha256:old');
});

test('a full disk in the middle of a build is told as a full disk, with what frees it', async () => {
  const house = await openHouse({ buildRecords: [...records, { errorDetail: { message: 'write /x: no space left on device' } }] });
  const build = await house.builds.finished((await house.builds.start(house.environment, { noCache: false })).id);
  expect(build.error).toMatchObject({ code: 'disk_full', next_action: expect.stringContaining('sandlot prune') });
});

test('the build context holds only our own files, wherever the host was started', async () => {
  const house = await openHouse({ buildRecords: records });
  const file = await openFile(join(folder, 'huge'), 'w');
  await file.truncate(2 * 1024 ** 3);
  await file.close();
  const socket = createServer().listen(join(folder, 'a.sock'));
  closers.push(() => new Promise((resolve) => socket.close(resolve)));
  const startedIn = process.cwd();
  process.chdir(folder);
  try {
    await house.builds.finished((await house.builds.start(house.environment, { noCache: false })).id);
  } finally {
    process.chdir(startedIn);
  }
  const context = daemon.requests.find(({ path }) => path === '/build')?.body ?? Buffer.alloc(0);
  expect(context.length).toBeLessThan(1024 ** 2);
  const names: string[] = [];
  const tar = extract();
  tar.end(context);
  for await (const entry of tar) {
    names.push(entry.header.name);
    entry.resume();
  }
  expect(names).toContain('Dockerfile');
  expect(names.filter((name) => /huge|sock|registry|streams/.test(name))).toEqual([]);
});
