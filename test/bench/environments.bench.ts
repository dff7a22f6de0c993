// Ten thousand environments, each with a pinned build: the first page as a client gets it, with all that is computed beside each.
import { join } from 'node:path';
import { openBenchHost } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { multiply } from './multiply.ts';
import { median, type Ratio } from './ratio.ts';

const rounds = 50;
const limitMs = 20;

const recipeYaml = `base: debian
env:
  STAGE: bench
initialize:
  - name: Greet
    run: echo hello
session_start:
  - name: Say where
    run: pwd
`;

/** Measures through the socket of a host. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    await host.pinned(await host.runtimeId(benchDocker()), recipeYaml);
    await multiply(join(host.folder, 'registry.db'), 10_000);
    const ask = async (input: { search?: string }): Promise<number> => {
      const samples: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now();
        const page = await host.call('environments.list', input);
        samples.push(performance.now() - began);
        if (page.environments.length !== 100 || page.environments.some(({ image }) => image.state !== 'active'))
          throw new Error(`${page.environments.length} of ${page.total} environments came, or without their image.`);
      }
      return median(samples.slice(rounds / 5));
    };
    const limit = { baseline: limitMs, against: `the limit of ${limitMs} ms` };
    return [
      {
        what: 'First page (100) of 10,000 environments with pinned builds: `environments.list` at a client of the socket',
        ...{ ours: await ask({}), ...limit, bound: { kind: 'at most', ratio: 1 } },
      },
      { what: 'The same with a search that matches every tenth', ours: await ask({ search: 'bench 1' }), ...limit, bound: null },
    ];
  } finally {
    await host.close();
  }
};
