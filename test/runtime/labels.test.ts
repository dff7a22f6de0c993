// Lists name only what carries every label: prune removes what they name, so a stranger's volume among them would be lost.
import { afterAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('on $kind', ({ kind, socket }) => {
  const runtime = createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });
  const mark = `labels-test-${process.pid}`;
  const names = [`${mark}-ours`, `${mark}-other`];

  afterAll(async () => {
    for (const name of names) await runtime.removeVolume(name);
    runtime.close();
  });

  test('a volume with one label of two is not listed', async () => {
    await runtime.createVolume(names[0] ?? '', { [mark]: 'true', home: 'ours' });
    await runtime.createVolume(names[1] ?? '', { [mark]: 'true', home: 'other' });
    const found = await runtime.listVolumes({ [mark]: 'true', home: 'ours' });
    expect(found.map(({ name }) => name)).toEqual([names[0]]);
    expect((await runtime.listVolumes({ [mark]: '' })).map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});
