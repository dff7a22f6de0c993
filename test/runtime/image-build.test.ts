// Recipe -> image -> boot test -> pin, on a real Docker and a real Podman, with the real registry and real streams.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../sandbox-engine/base/clock.ts';
import { readHostCertificates } from '../../sandbox-engine/base/host-certificates.ts';
import { createIds } from '../../sandbox-engine/base/ids.ts';
import { bootstrapDebian } from '../../sandbox-engine/container/bootstrap.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { createLabels, labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { Build, Environment } from '../../sandbox-engine/contract/model.ts';
import { createBaseImages } from '../../sandbox-engine/image/base-image.ts';
import { createBuilds } from '../../sandbox-engine/image/build-image.ts';
import { createImagePresence } from '../../sandbox-engine/image/image-presence.ts';
import { createPins } from '../../sandbox-engine/image/pin.ts';
import { checkBeforePull } from '../../sandbox-engine/image/registry-manifest.ts';
import { createSecretGate } from '../../sandbox-engine/image/secret-gate.ts';
import { recipeDigest } from '../../sandbox-engine/recipe/digest.ts';
import { parseRecipe } from '../../sandbox-engine/recipe/parse.ts';
import { createEnvironment } from '../../sandbox-engine/registry/environment-rules.ts';
import { openRegistry } from '../../sandbox-engine/registry/open-registry.ts';
import type { Secret } from '../../sandbox-engine/stream/redact.ts';
import { createStreamStore } from '../../sandbox-engine/stream/stream-store.ts';
import { askRuntime } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('on $kind', ({ kind, socket }) => {
  const home = `image-test-${process.pid}-${kind}`;
  const newId = createIds(Date.now);
  const makeLabels = createLabels(home, 'test');
  const runtime = createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });
  const runtimeOf = () => runtime;
  let architecture: Promise<string> | null = null;
  // As in the engine: asked once.
  const architectureOf = () => {
    architecture ??= runtime.info().then((info) => info.architecture);
    return architecture;
  };
  let folder = '';
  let house: Awaited<ReturnType<typeof open>>;
  const told: Build[] = [];

  const open = async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandlot-image-'));
    const registry = await openRegistry({ folder, clock: systemClock });
    const streams = createStreamStore({ folder: join(folder, 'streams'), onGrew: () => undefined });
    const presence = createImagePresence(runtimeOf);
    const bases = createBaseImages({
      makeLabels,
      newId,
      architectureOf,
      checkBeforePull,
      authorities: () => readHostCertificates(process.env),
      bootstrap: (request) => bootstrapDebian({ ...request, cacheFolder: join(folder, 'cache') }),
    });
    const deps = { store: registry.builds, streams, presence, bases, runtimeOf, architectureOf, makeLabels, newId, clock: systemClock };
    const builds = createBuilds({ ...deps, redactText: (text) => text, emit: (build) => void told.push(build) });
    const secrets: Secret[] = [];
    const secretGate = createSecretGate({ runtimeOf, streams, knownValues: async () => secrets, redactText: (text) => text });
    const pinDeps = { pins: registry.pins, builds: registry.builds, presence, secretGate, newId, clock: systemClock };
    const pins = createPins({ ...pinDeps, emit: () => undefined });
    return { registry, streams, presence, builds, pins, secrets };
  };

  const save = async (recipeYaml: string): Promise<Environment> => {
    const { recipe, sessionStart, knowledge } = parseRecipe(recipeYaml);
    return await house.registry.environments.insert(
      createEnvironment(
        { name: 'team/web β #1', runtime: kind },
        {
          id: newId('env'),
          now: systemClock.iso(),
          defaultRuntime: kind,
          recipeYaml,
          recipe,
          sessionStart,
          knowledge,
          recipeDigest: recipeDigest(recipe),
          setupWarnings: [],
        },
      ),
    );
  };

  const build = async (environment: Environment, noCache = false): Promise<Build> => {
    const started = await house.builds.start(environment, { noCache });
    return await house.builds.finished(started.id);
  };

  const logOf = async (made: Build): Promise<string> => (await house.streams.read(made.stream_id, 0, 4_000_000)).bytes.toString('utf8');

  beforeAll(async () => {
    house = await open();
  });

  afterAll(async () => {
    for (const image of await runtime.listImages({ [labelKeys.home]: home })) {
      if (image.labels[labelKeys.role] !== 'base') await runtime.removeImage(image.id, { force: true });
    }
    await house.builds.close();
    await house.streams.close();
    await house.registry.close();
    runtime.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a recipe is built step by step, boots, is pinned, and an unchanged one is answered without building', {
    timeout: 400_000,
  }, async () => {
    const environment = await save(
      `base: debian:bookworm-slim\nenv: {A: "1"}\ninitialize:\n  - {name: leave a mark, run: echo hello ${newId('req')} > /mark}\n`,
    );
    const made = await build(environment);
    expect({ status: made.status, error: made.error, boot: made.boot_test?.checks.filter((check) => !check.passed) }).toEqual({
      status: 'succeeded',
      error: null,
      boot: [],
    });
    expect(made.steps.map((step) => [step.name, step.status])).toContainEqual(['leave a mark', 'succeeded']);
    expect(made.steps.every((step) => step.duration_ms !== null)).toBe(true);
    // A number: whoever runs the image elsewhere can see that it does not run as root.
    expect((await runtime.inspectImage(made.image_id ?? ''))?.user).toMatch(/^1\d{3}$/);
    // Each instruction costs Podman an image of its own: what Sandlot adds is few.
    const history = (await askRuntime(socket, 'GET', `/images/${made.image_id}/history`)) as { CreatedBy: string }[];
    const labels = history.filter(({ CreatedBy }) => /LABEL.*dev\.sandlot\.(build|environment|fingerprint|recipe)/.test(CreatedBy));
    expect(labels.length).toBeLessThan(3);
    expect((await house.pins.imageState(environment)).state).toBe('none');
    await house.pins.pin(made.id);
    expect(await house.pins.imageState(environment)).toMatchObject({ state: 'active', image_id: made.image_id });

    const startedAt = performance.now();
    const again = await house.builds.start(environment, { noCache: false });
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect(again).toMatchObject({ status: 'succeeded', reused_build_id: made.id, image_id: made.image_id });

    const shared = await build(await save(environment.recipe_yaml));
    expect(shared).toMatchObject({ status: 'succeeded', image_id: made.image_id, fingerprint: made.fingerprint });
  });

  test('a failing step is named, its log is kept, and the pin stays', { timeout: 200_000 }, async () => {
    const environment = await save(
      'base: debian:bookworm-slim\ninitialize:\n  - {name: fine, run: echo fine}\n  - {name: breaks here, run: echo about-to-fail; exit 7}\n  - {name: never, run: echo never}\n',
    );
    const made = await build(environment);
    expect(made).toMatchObject({ status: 'failed', failed_step: 'breaks here', image_id: null, error: { code: 'build_failed' } });
    expect(await logOf(made)).toContain('about-to-fail');
    await expect(house.pins.pin(made.id)).rejects.toMatchObject({ code: 'build_not_pinnable' });
    expect((await house.pins.list(environment.id)).map((line) => line.action)).toEqual(['rejected']);
  });

  test('an image that cannot carry a session is rejected at pin time, and booted again by the next build', {
    timeout: 200_000,
  }, async () => {
    const environment = await save('base: debian:bookworm-slim\ninitialize:\n  - {name: no git, run: rm -f /usr/bin/git}\n');
    const made = await build(environment);
    expect(made.boot_test?.checks.filter((check) => !check.passed).map((check) => check.name)).toEqual(['git']);
    await expect(house.pins.pin(made.id)).rejects.toMatchObject({ code: 'BootTestFailed' });
    expect(await build(environment)).toMatchObject({ reused_build_id: null, image_id: made.image_id, boot_test: { passed: false } });
  });

  test('a running build is cancelled and says so', { timeout: 200_000 }, async () => {
    const environment = await save(
      `base: debian:bookworm-slim\ninitialize:\n  - {name: slow, run: "echo slow-step-began; sleep 300; echo ${newId('req')}"}\n`,
    );
    const started = await house.builds.start(environment, { noCache: false });
    await expect
      .poll(async () => await logOf(await house.builds.get(started.id)).catch(() => ''), { timeout: 60_000 })
      .toContain('slow-step-began');
    const ended = await house.builds.cancel(started.id);
    expect(ended).toMatchObject({ status: 'cancelled', image_id: null, failed_step: null });
    await expect(house.builds.cancel(started.id)).rejects.toMatchObject({ code: 'build_finished' });
  });

  test('an image that was removed behind our back shows as missing, and the next build makes it again', { timeout: 200_000 }, async () => {
    const environment = await save('base: debian:bookworm-slim\ninitialize:\n  - {name: to be pruned, run: echo pruned > /pruned}\n');
    const first = await build(environment);
    await house.pins.pin(first.id);
    await runtime.removeImage(first.image_id ?? '', { force: true });
    house.presence.forget(kind);
    expect((await house.pins.imageState(environment)).state).toBe('missing');
    const second = await build(environment);
    expect(second).toMatchObject({ status: 'succeeded', reused_build_id: null });
    await house.pins.pin(second.id);
    expect((await house.pins.imageState(environment)).state).toBe('active');
  });

  test('an image that holds a secret is not pinned, though a later step removed the file; without the secret it is', {
    timeout: 300_000,
  }, async () => {
    const unique = newId('req').slice(-10);
    const write = `mkdir -p /srv/x && printf 'tok_4f9a%s' ${unique} | base64 > /srv/x/token`;
    const environment = await save(
      `base: debian\ninitialize:\n  - {name: leave it, run: "${write}"}\n  - {name: hide it, run: rm -r /srv/x}\n`,
    );
    const made = await build(environment);
    expect([made.status, made.error]).toEqual(['succeeded', null]);
    // In every Debian, but public: no leak.
    house.secrets.splice(0, 9, { name: 'WORD', value: 'bookworm-security' }, { name: 'TOKEN', value: `tok_4f9a${unique}` });
    const refused = await house.pins.pin(made.id).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'secret_in_image', details: { secret: 'TOKEN' } });
    expect((refused as Error).message).toMatch(/the file \/srv\/x\/token in layer \d+/);
    expect((await house.pins.list(environment.id)).map((line) => [line.action, line.reason?.includes(unique)])).toEqual([
      ['rejected', false],
    ]);
    house.secrets.splice(1, 1, { name: 'TOKEN', value: 'tok_a_new_one_4711' });
    expect((await house.pins.pin(made.id)).action).toBe('pinned');
    house.secrets.splice(0, 9);
  });

  test('a value that the recipe names is found in the image, whichever way it got there', { timeout: 300_000 }, async () => {
    const value = `tok/${newId('req').slice(-10)}`;
    house.secrets.splice(0, 9, { name: 'TOKEN', value });
    const made = await build(await save(`base: debian:bookworm-slim\nenv: {KEY: "${value}"}\n`));
    await expect(house.pins.pin(made.id)).rejects.toMatchObject({
      code: 'secret_in_image',
      details: { secret: 'TOKEN', place: 'the variable KEY' },
    });
    house.secrets.splice(0, 9);
  });
});
