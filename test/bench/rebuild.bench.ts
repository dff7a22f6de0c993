// An unchanged recipe built again: how long the answer takes, and what the runtime is asked, counted on its socket.
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBenchHost } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { median, type Ratio } from './ratio.ts';

const rounds = 30;
const limitMs = 50;

/** A socket that passes everything on and counts the requests that go through. */
const openCounter = async (target: string) => {
  const path = join(tmpdir(), `sandlot-count-${process.pid}.sock`);
  const requests: string[] = [];
  const server = createServer((near) => {
    const far = connect(target);
    near.on('data', (bytes) => {
      for (const [line] of bytes.toString('latin1').matchAll(/^(?:GET|POST|PUT|DELETE|HEAD) \/.* HTTP\/1\.1\r$/gm)) requests.push(line);
    });
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy());
  });
  await rm(path, { force: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    take: () => requests.splice(0),
    close: async () => {
      server.close();
      await rm(path, { force: true });
    },
  };
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const docker = benchDocker();
  const counter = await openCounter(docker.socket);
  const host = await openBenchHost(counter.path);
  try {
    const runtimeId = await host.runtimeId(docker);
    counter.take();
    const { id } = await host.pinned(runtimeId, 'base: debian\ninitialize:\n  - name: Greet\n    run: echo hello\n');
    const first = counter.take().length;
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      const build = await host.call('builds.start', { environment_id: id });
      samples.push(performance.now() - began);
      if (build.status !== 'succeeded' || build.reused_build_id === null) throw new Error('The unchanged recipe was built again.');
    }
    const asked = counter.take();
    if (first === 0) throw new Error('The counting socket saw nothing of the first build.');
    for (const line of asked) process.stderr.write(`bench: a rebuild asked ${line.trim()}\n`);
    return [
      {
        what: 'Rebuild of an unchanged recipe: `builds.start` until its answer, which is finished',
        ...{ ours: median(samples), baseline: limitMs, against: `the limit of ${limitMs} ms`, bound: { kind: 'at most', ratio: 1 } },
      },
      {
        what: `The same: requests on the runtime's socket in ${rounds} rebuilds, counted by a proxy`,
        ...{ ours: asked.length, baseline: first, against: 'the requests of the first build', bound: { kind: 'at most', ratio: 0 } },
      },
    ];
  } finally {
    await host.close();
    await counter.close();
  }
};
