// Bases as people bring them: made for another system or processor, with a user and an entry point of their own.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '../../sandbox-engine/base/ids.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { keepAlive, keepAliveName } from '../../sandbox-engine/container/keep-alive.ts';
import { createLabels, labelKeys } from '../../sandbox-engine/container/labels.ts';
import { createBaseImages } from '../../sandbox-engine/image/base-image.ts';
import { bootTest } from '../../sandbox-engine/image/boot-test.ts';
import type { BuildLog } from '../../sandbox-engine/image/build-log.ts';
import { checkBeforePull } from '../../sandbox-engine/image/registry-manifest.ts';
import { savedImage } from './support/saved-image.ts';
import { ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';
import { tinyRoot } from './support/tiny-root.ts';

const osRelease = (text: string) => ({ name: '/etc/os-release', text, mode: 0o644 });
const alpine = [osRelease('ID=alpine\nPRETTY_NAME="Alpine Linux v3.20"\n'), { name: '/lib/ld-musl-x86_64.so.1', text: '' }];

describe.each(testRuntimes)('bases on $kind', ({ kind, socket }) => {
  const name = `base-${kind}-${randomBytes(3).toString('hex')}`;
  const runtime = createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });
  const makeLabels = createLabels(name, 'test');
  const signal = AbortSignal.timeout(240_000);
  const tags = { musl: `localhost/${name}-musl:1`, arm: `localhost/${name}-arm:1`, own: `localhost/${name}-own:1` };
  const bases = createBaseImages({
    ...{ makeLabels, newId: createIds(Date.now), checkBeforePull, authorities: async () => [] },
    architectureOf: async () => (await runtime.info()).architecture,
    bootstrap: async () => expect.unreachable('nothing here is Debian by name'),
  });

  /** What was begun, and how it ended. */
  const ensure = async (base: string) => {
    const begun: string[] = [];
    const nothing = (): void => undefined;
    const log: BuildLog = {
      ...{
        line: nothing,
        finish: nothing,
        onBuildEvent: nothing,
        current: () => null,
        lastWords: () => null,
        flush: async () => undefined,
      },
      begin: (step: string) => void begun.push(step),
    };
    const outcome = await bases.ensure({ runtime, base, log, signal }).catch((thrown: { code: string; message: string }) => thrown);
    return { begun, outcome };
  };

  beforeAll(async () => {
    await ensureTestImage(socket);
    await runtime.importImage(tinyRoot([], alpine), tags.musl, ['CMD ["/bin/sh"]'], signal);
    await runtime.loadImage(await savedImage(tinyRoot([], alpine), tags.arm, 'arm64'), signal);
    const context = pack();
    const dockerfile = `FROM ${testImage}\nUSER 0\nRUN useradd -u 1001 dev\nENTRYPOINT ["/bin/echo","hi"]\nUSER dev\n`;
    context.entry({ name: 'Dockerfile' }, dockerfile);
    context.finalize();
    const request = { context: Readable.from(context, { objectMode: false }), dockerfile: 'Dockerfile', tag: tags.own };
    await runtime.buildImage({ ...request, labels: makeLabels('probe'), onEvent: () => undefined, signal });
  });
  afterAll(async () => {
    for (const container of await runtime.listContainers({ [labelKeys.home]: name })) await runtime.removeContainer(container.id);
    for (const tag of Object.values(tags)) await runtime.removeImage(tag, { force: true });
    for (const image of await runtime.listImages({ [labelKeys.home]: name })) await runtime.removeImage(image.id, { force: true });
    runtime.close();
  });

  test('I-02: a musl base is refused by name before anything is installed on it', async () => {
    const { begun, outcome } = await ensure(tags.musl);
    expect(outcome).toMatchObject({
      code: 'NotDebianFamily',
      message: expect.stringMatching(/not Debian-family.*Alpine Linux v3\.20.*musl/),
    });
    expect(begun).toEqual(['Base image']);
    expect(await runtime.listContainers({ [labelKeys.home]: name })).toEqual([]);
  });

  test('I-02: a base for another processor is refused, saying which one is needed', async () => {
    const { architecture } = await runtime.info();
    const other = architecture === 'arm64' ? tags.musl : tags.arm;
    const { begun, outcome } = await ensure(other);
    expect(outcome).toMatchObject({ code: 'WrongArchitecture', message: expect.stringContaining(`needs ${architecture}`) });
    expect(begun).toEqual(['Base image']);
  });

  test('I-03, I-04: a base with a user and an entry point of its own boots as the sandbox user, says nothing, and stops at once', async () => {
    const { outcome } = await ensure(tags.own);
    expect(outcome).toMatchObject({ imageId: expect.stringMatching(/^sha256:/) });
    const imageId = 'imageId' in outcome ? outcome.imageId : '';
    const booted = await bootTest({ runtime, imageId, name: `${name}-boot`, labels: makeLabels('boot-test'), signal });
    expect(booted.checks.filter(({ passed }) => !passed)).toEqual([]);
    const id = await runtime.createContainer({
      ...{ name: `${name}-stop`, image: imageId, command: keepAlive, env: [] },
      ...{ labels: makeLabels('probe'), network: 'none' as const, stopTimeoutSeconds: 1, user: 'sandbox' },
    });
    await runtime.startContainer(id);
    const seen = await runtime.exec(id, { command: ['bash', '-c', 'id -un; sudo -n id -un; tr "\\0" " " </proc/1/cmdline'], stdin: false });
    const out: Buffer[] = [];
    for await (const { bytes } of seen.output) out.push(bytes);
    expect(Buffer.concat(out).toString().trim().split('\n')).toEqual(['sandbox', 'root', keepAliveName]);
    const began = performance.now();
    await runtime.stopContainer(id, 1);
    expect(performance.now() - began).toBeLessThan(4500);
    expect(await runtime.inspectContainer(id)).toMatchObject({ status: 'exited' });
  });
});
