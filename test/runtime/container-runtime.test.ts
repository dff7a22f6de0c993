// The adapter against a real Docker and a real Podman. Each leaves nothing behind.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BuildEvent, ExecHandle, ExecSpec } from '../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { testRuntimes } from './support/test-image.ts';

const base = 'debian:bookworm-slim';

const tarOf = (files: Record<string, string>): Readable => {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
  archive.finalize();
  return archive as unknown as Readable;
};

const readAll = async (handle: ExecHandle): Promise<{ stdout: string; stderr: string; code: number | null }> => {
  const text = { stdout: '', stderr: '' };
  for await (const chunk of handle.output) text[chunk.stream] += chunk.bytes.toString();
  return { ...text, code: await handle.exitCode() };
};

describe.each(testRuntimes)('$kind', ({ kind, socket }) => {
  const name = `ct-${kind}-${randomBytes(4).toString('hex')}`;
  const label = { 'sandlot.test': name };
  const runtime = createDockerRuntime({
    id: kind,
    kind,
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  const signal = new AbortController().signal;
  let id = '';

  const build = async (dockerfile: string, tag = `${name}:built`, stop: AbortSignal = signal) => {
    const events: BuildEvent[] = [];
    const request = {
      context: tarOf({ Dockerfile: dockerfile }),
      dockerfile: 'Dockerfile',
      tag,
      labels: label,
      onEvent: (event: BuildEvent) => void events.push(event),
      signal: stop,
    };
    const result = await runtime.buildImage(request).catch((thrown: { code: string; message: string }) => thrown);
    return { result, events };
  };
  const run = async (spec: Partial<ExecSpec> & { command: string[] }) => readAll(await runtime.exec(id, { stdin: false, ...spec }));

  beforeAll(async () => {
    const volume = { kind: 'volume', source: name, target: '/workspace', labels: label } as const;
    id = await runtime.createContainer({
      name,
      image: base,
      command: ['sleep', '600'],
      env: ['SECRET=x'],
      labels: label,
      network: 'none',
      mounts: [volume],
    });
    await runtime.startContainer(id);
  });

  afterAll(async () => {
    for (const container of await runtime.listContainers(label)) await runtime.removeContainer(container.id);
    for (const image of await runtime.listImages(label)) await runtime.removeImage(image.id, { force: true });
    await runtime.removeVolume(name);
    runtime.close();
  });

  test('a build tells steps in Dockerfile order, is cached the second time, and names the failing step', async () => {
    const dockerfile = `FROM ${base}\nENV A=1\nRUN echo out-${name}\n`;
    const first = await build(dockerfile);
    expect(first.result).toBe((await runtime.inspectImage(`${name}:built`))?.id);
    const log = first.events.flatMap((event) => (event.kind === 'log' && event.index === 3 ? [event.bytes.toString()] : []));
    expect(log.join('')).toContain(`out-${name}\n`);
    const second = await build(dockerfile);
    expect(second.events).toContainEqual(expect.objectContaining({ kind: 'step_done', index: 3, cached: true, failed: false }));
    const third = await build(`FROM ${base}\nENV A=1\nRUN echo no-${name}; exit 3\nRUN true\n`);
    expect(third.result).toMatchObject({ code: 'build_failed' });
    expect(third.events).toContainEqual(expect.objectContaining({ kind: 'step_done', index: 3, failed: true }));
  });

  test('an image whose tag went to another one is still listed by its labels', async () => {
    const first = await build(`FROM ${base}\nENV A=first\n`, `${name}:moved`);
    const second = await build(`FROM ${base}\nENV A=second\n`, `${name}:moved`);
    const listed = (await runtime.listImages(label)).map(({ id: imageId, tags }) => [imageId, tags]);
    expect(listed).toContainEqual([first.result, []]);
    expect(listed).toContainEqual([second.result, [`${name}:moved`]]);
  });

  test('an imported root file system is found under its name and tag', async () => {
    const imported = await runtime.importImage(
      tarOf({ 'a.txt': 'x' }),
      `${name}-imported:7`,
      ['CMD ["bash"]', `LABEL sandlot.test=${name}`],
      signal,
    );
    expect(await runtime.inspectImage(`${name}-imported:7`)).toMatchObject({ id: imported, tags: [`${name}-imported:7`], cmd: ['bash'] });
    expect((await runtime.inspectImage(`${name}-imported:7`))?.labels).toEqual(label);
  });

  test('a cancelled build ends at once and makes no image', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 700);
    const began = performance.now();
    const { result } = await build(`FROM ${base}\nRUN echo ${name}; sleep 4\nRUN true\n`, `${name}:cancelled`, stop.signal);
    expect(result).toMatchObject({ code: 'cancelled' });
    expect(performance.now() - began).toBeLessThan(3000);
    expect(await runtime.inspectImage(`${name}:cancelled`)).toBeNull();
  });

  test('a command keeps its two streams, its exit code and an input that is at its end', async () => {
    expect(await run({ command: ['sh', '-c', 'cat; echo out; echo err >&2; exit 7'] })).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      code: 7,
    });
  });

  test('T-03: fifty terminals running cat -A show what was typed and nothing before it', async () => {
    const outputs: string[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const texts = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const handle = await runtime.exec(id, { command: ['cat', '-A'], stdin: true });
          handle.stdin.end('hello\n');
          return (await readAll(handle)).stdout;
        }),
      );
      outputs.push(...texts);
    }
    expect(outputs).toEqual(Array.from({ length: 50 }, () => 'hello$\n'));
  });

  test('files go in and come out, and the volume carries its labels', async () => {
    await runtime.putArchive(id, '/workspace', tarOf({ 'a.txt': 'content\n' }));
    expect((await run({ command: ['cat', '/workspace/a.txt'] })).stdout).toBe('content\n');
    const pieces: Buffer[] = [];
    for await (const piece of await runtime.getArchive(id, '/workspace/a.txt')) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).includes('content\n')).toBe(true);
    expect((await runtime.listVolumes(label)).map((volume) => volume.name)).toEqual([name]);
  });

  test('a stream of files that fails ends with its error, and does not hang', async () => {
    async function* broken() {
      yield Buffer.alloc(1_048_576);
      throw new Error('The disk went away.');
    }
    await expect(runtime.putArchive(id, '/tmp', Readable.from(broken()))).rejects.toThrow('The disk went away.');
  });

  test('a commit carries exactly the environment that was given, byte for byte', async () => {
    const env = ['PATH=/usr/bin:/bin', 'QUOTED=a "b" \'c\' $HOME ${X} \\n \\ \nsecond line', 'EMPTY=', 'END=C:\\tools\\', 'HASH= a #b '];
    await run({ command: ['sh', '-c', 'echo in-the-layer > /mark'] });
    await runtime.commitContainer({ containerId: id, tag: `${name}:exact`, changes: ['USER nobody', 'CMD ["bash"]'], env, labels: label });
    const image = await runtime.inspectImage(`${name}:exact`);
    expect(image).toMatchObject({ env, user: 'nobody', cmd: ['bash'], labels: label });
    const layers = (await runtime.inspectImage(base))?.layers ?? [];
    expect(image?.layers).toEqual([...layers, expect.any(String)]);
    const other = await runtime.createContainer({
      name: `${name}-exact`,
      image: `${name}:exact`,
      command: ['sh', '-c', `grep -qx in-the-layer /mark && test -x /usr/bin/apt-get && test "$END" = 'C:\\tools\\'`],
      env: [],
      labels: label,
      network: 'none',
    });
    await runtime.startContainer(other);
    expect(await runtime.waitContainer(other, signal)).toBe(0);
    expect((await runtime.listImages(label)).flatMap(({ tags }) => tags).filter((tag) => tag.includes(':raw-'))).toEqual([]);
  });

  test('a container that ignores the stop signal is removed at once, whatever its stop timeout', async () => {
    const deaf = { name: `${name}-deaf`, image: base, command: ['sleep', '600'], env: [], labels: label, network: 'none' } as const;
    const other = await runtime.createContainer({ ...deaf, command: [...deaf.command], env: [], stopTimeoutSeconds: 30 });
    await runtime.startContainer(other);
    const began = performance.now();
    await runtime.removeContainer(other);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await runtime.inspectContainer(other)).toBeNull();
  });

  test("a command replaces the image's entry point and command", async () => {
    await build(`FROM ${base}\nENTRYPOINT ["/bin/echo","hi"]\nCMD ["there"]\n`, `${name}:entry`);
    const other = await runtime.createContainer({
      name: `${name}-entry`,
      image: `${name}:entry`,
      command: ['sh', '-c', 'exit 9'],
      env: [],
      labels: label,
      network: 'none',
    });
    await runtime.startContainer(other);
    expect(await runtime.waitContainer(other, signal)).toBe(9);
    await runtime.removeContainer(other);
    expect(await runtime.inspectContainer(other)).toBeNull();
    await runtime.removeContainer(other);
  });

  test("what a container uses that joins another's network is told like that of any other", async () => {
    const command = ['bash', '-c', 'while :; do :; done'];
    const plain = { image: base, env: [], labels: label };
    // As a gate is made, and a sandbox behind it.
    const bare = await runtime.createContainer({
      ...plain,
      name: `${name}-bare`,
      command: ['sleep', '60'],
      network: 'none',
      bareNetwork: true,
    });
    await runtime.startContainer(bare);
    const joined = await runtime.createContainer({ ...plain, name: `${name}-joined`, command, network: `container:${bare}` });
    try {
      await runtime.startContainer(joined);
      const before = (await runtime.readUsage(joined)).cpuMs;
      await expect.poll(async () => (await runtime.readUsage(joined)).cpuMs - before, { timeout: 20_000 }).toBeGreaterThan(200);
      const counters = await runtime.readCounters(joined);
      expect([Number(counters?.memoryBytes) > 100_000, Number(counters?.processes) > 0]).toEqual([true, true]);
      await runtime.killContainer(joined);
      await runtime.waitContainer(joined, signal);
      expect(await runtime.readCounters(joined)).toBeNull();
    } finally {
      await runtime.removeContainer(joined);
      await runtime.removeContainer(bare);
    }
  });
});
