// The tools in a real image are asked without network, as a session's user, and nothing is left behind.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { aptRegistry } from '../../sandbox-engine/egress/registries/apt-registry.ts';
import { askImage } from '../../sandbox-engine/engine/ask-image.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('on $kind', ({ kind, socket }) => {
  const runtime = createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });
  const labels = { 'ask-image-test': String(process.pid) };
  const ask = async (scripts: Record<string, readonly string[]>, signal = new AbortController().signal) => {
    const image = await runtime.inspectImage(await ensureTestImage(socket));
    const name = `sandlot-probe-test-${process.pid}`;
    return await askImage({ runtime, imageId: image?.id ?? '', name, labels, env: ['INDEX=http://mirror.test/simple'], scripts, signal });
  };

  beforeAll(async () => void (await ensureTestImage(socket)), 600_000);
  afterAll(() => runtime.close());

  test('apt names its sources, and each script is answered by itself', async () => {
    const printed = await ask({
      apt: aptRegistry.commands,
      shell: [
        'echo "$INDEX"; id -un; echo only-for-people >&2',
        'cat /proc/net/dev | grep -c :',
        'exit 7',
        'command -v no-such-tool >/dev/null && echo there',
      ],
    });
    expect(printed['shell']).toEqual(['http://mirror.test/simple\nsandbox\n', '1\n', '', '']);
    const places = aptRegistry.configured(printed['apt'] ?? []);
    expect(places.length).toBeGreaterThan(0);
    expect(places.map(({ url, from }) => [/^https?:$/.test(url.protocol), url.pathname.endsWith('/InRelease'), from])).toEqual(
      places.map(() => [true, true, "apt's sources"]),
    );
    expect(await runtime.listContainers(labels)).toEqual([]);
  });

  test('a question that is given up leaves no container', async () => {
    const given = new AbortController();
    const asked = expect(ask({ slow: ['echo begun; sleep 50'] }, given.signal)).rejects.toThrow('given up');
    const running = async () => (await runtime.listContainers(labels)).some(({ status }) => status === 'running');
    await expect.poll(running, { timeout: 30_000 }).toBe(true);
    given.abort(new Error('given up'));
    await asked;
    expect(await runtime.listContainers(labels)).toEqual([]);
  });
});
