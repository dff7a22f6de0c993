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
import { fingerprint, recipeDigest } from '../../../sandbox-engine/recipe/digest.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';
import { runtimeLayerVersion } from '../../../sandbox-engine/recipe/runtime-layer.ts';
import { createEnvironment } from '../../../sandbox-engine/registry/environment-rules.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';
import type { FakeBehaviour, FakeDaemon } from '../../fakes/docker-daemon.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

const newId = createIds(Date.now);
const recipeYaml = 'base: debian:bookworm-slim\ninitialize:\n  - {name: mark, run: echo mark}\n  - {name: after it, run: echo after}\n';
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

/** A build that succeeded, without being built. */
const saveBuilt = async ({ registry, environment }: House, part: Partial<Build> = {}): Promise<Build> => {
  const passed = { passed: true, checks: [], duration_ms: 1 } as unknown as Build['boot_test'];
  const built: Build = {
    ...{ id: newId('bld'), environment_id: environment.id, status: 'succeeded', fingerprint: 'f', recipe_digest: 'older' },
    ...{ recipe_yaml: 'base: debian:bookworm-slim\n', runtime: 'docker', base: 'debian:bookworm-slim', base_digest: 'sha256:base' },
    ...{ steps: [], failed_step: null, error: null, image_id: 'sha256:old', image_size: 1, boot_test: passed, reused_build_id: null },
    ...{ stream_id: newId('str'), created_at: systemClock.iso(), started_at: systemClock.iso(), finished_at: systemClock.iso() },
    ...part,
  };
  await registry.builds.save(built);
  return built;
};

/** An earlier build of the environment that is its Active Image. */
const pinEarlier = async (house: House): Promise<void> => void (await house.pins.pin((await saveBuilt(house)).id));

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

test('a step that failed is marked in the log with what it said last, and the whole command is not said again', async () => {
  const said = "The command '/bin/bash -c make all' returned a non-zero code: 2";
  const step = [{ stream: 'Step 3/7 : RUN echo mark\n' }, { stream: 'compiling\n\u001b[31mmake: no rule\u001b[0m\n\n' }];
  const house = await openHouse({ buildRecords: [...step, { error: said, errorDetail: { message: said } }] });
  const build = await house.builds.finished((await house.builds.start(house.environment, { noCache: false })).id);
  expect([build.failed_step, build.error]).toEqual([
    'mark',
    {
      code: 'build_failed',
      message: 'its command ended with exit code 2: compiling\nmake: no rule',
      next_action: 'Read its log, correct the recipe and build again.',
    },
  ]);
  expect(build.steps.slice(-2).map(({ index, name, status, started_at: at }) => [index, name, status, at !== null])).toEqual([
    [build.steps.length - 2, 'mark', 'failed', true],
    // It has its place from the start, though it was never reached.
    [build.steps.length - 1, 'after it', 'cancelled', false],
  ]);
  const log = await house.logOf(build);
  expect(log).toMatch(/\u001b\[31m✗ mark: failed in [\d.]+ m?s\n {2}compiling\n {2}make: no rule\u001b\[0m\n/);
  expect(log).not.toContain('returned a non-zero code');
});

test.each([
  ['what stderr said last', { stream: '\u001b[91mls: cannot access x\n\u001b[0m' }, 'ls: cannot access x'],
  ['the last few lines where nobody tells', { stream: 'ls: cannot access x\n' }, 'ls: cannot access x\nabout to fail'],
])('why a step failed is %s, though it printed something after it', async (_, complaint, expected) => {
  const said = "The command '/bin/bash -c make all' returned a non-zero code: 2";
  const step = [{ stream: 'Step 3/7 : RUN echo mark\n' }, complaint, { stream: 'about to fail\n' }];
  const house = await openHouse({ buildRecords: [...step, { error: said, errorDetail: { message: said } }] });
  const build = await house.builds.finished((await house.builds.start(house.environment, { noCache: false })).id);
  expect(build.error?.message).toBe(`its command ended with exit code 2: ${expected}`);
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

test('the pin ledger is about changes: the same image of the same recipe, pinned again, adds no line', async () => {
  const house = await openHouse({});
  const { pins, environment } = house;
  const linesAfter = async (part: Partial<Build>) => {
    await pins.pin((await saveBuilt(house, part)).id);
    return (await pins.list(environment.id)).length;
  };
  const first = await linesAfter({});
  const [again, otherRecipe, otherBase] = [
    await linesAfter({ reused_build_id: newId('bld') }),
    await linesAfter({ recipe_digest: 'newer' }),
    await linesAfter({ recipe_digest: 'newer', fingerprint: 'g' }),
  ];
  await pins.unpin(environment.id);
  expect([first, again, otherRecipe, otherBase, await linesAfter({ recipe_digest: 'newer', fingerprint: 'g' })]).toEqual([1, 1, 2, 3, 5]);
});

test('a recipe that was built before is answered at once, also while its pin takes long', async () => {
  const house = await openHouse({});
  const { builds, environment } = house;
  const of = { recipe: environment.recipe, baseDigest: 'sha256:base', runtimeLayerVersion, architecture: 'amd64' };
  const earlier = await saveBuilt(house, { recipe_digest: environment.recipe_digest, fingerprint: fingerprint(of) });
  const quick = await builds.start(environment, { noCache: false, whenBuilt: async () => undefined });
  let pinned: () => void = () => undefined;
  const pinning = new Promise<void>((resolve) => {
    pinned = resolve;
  });
  const slow = await builds.start(environment, { noCache: false, whenBuilt: () => pinning });
  expect([slow.status, builds.activeOf(environment.id)]).toEqual(['running', slow.id]);
  pinned();
  const ended = await builds.finished(slow.id);
  expect([quick.status, ended.status, ended.reused_build_id, builds.activeOf(environment.id)]).toEqual([
    'succeeded',
    'succeeded',
    earlier?.id,
    null,
  ]);
});
