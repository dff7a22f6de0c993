// A build of small steps without any cache, against BuildKit asked directly for the same Dockerfile on the same base.
// The boot test that every build of ours ends with is taken out of the pair and shown in a row of its own.
import { setImmediate as turn } from 'node:timers/promises';
import { packContext } from '../../sandbox-engine/container/pack-context.ts';
import type { Build } from '../../sandbox-engine/contract/model.ts';
import { compileRecipe } from '../../sandbox-engine/recipe/compile.ts';
import { parseRecipe } from '../../sandbox-engine/recipe/parse.ts';
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchDocker } from './bench-runtimes.ts';
import { measureInTurns, median, type Ratio } from './ratio.ts';

const rounds = 9;
const steps = Array.from({ length: 6 }, (_, index) => `  - name: Step ${index + 1}\n    run: echo ${index + 1} > /opt/step-${index + 1}\n`);
const recipeYaml = `base: debian\nenv:\n  STAGE: bench\ninitialize:\n${steps.join('')}`;
const tag = 'sandlot-bench/raw:1';

/** The tag that our build stands on: the longest of our bases whose layers the image begins with. */
const baseOf = async ({ client }: BenchRuntime, imageId: string): Promise<string> => {
  const { RootFS } = await client.getImage(imageId).inspect();
  const layers = RootFS.Layers ?? [];
  const tags = (await client.listImages({ filters: { reference: ['sandlot/base'] } })).flatMap(({ RepoTags }) => RepoTags ?? []);
  const depths = await Promise.all(
    tags.map(async (one) => {
      const base = (await client.getImage(one).inspect()).RootFS.Layers ?? [];
      return { one, depth: base.every((layer, index) => layers[index] === layer) ? base.length : 0 };
    }),
  );
  const [best] = depths.sort((a, b) => b.depth - a.depth);
  if (best === undefined || best.depth === 0) throw new Error('The base of the build was not found.');
  return best.one;
};

const bootTestMs = ({ steps: done }: Build): number => done.find(({ name }) => name === 'Boot test')?.duration_ms ?? Number.NaN;

const buildOurs = async (host: BenchHost, environmentId: string): Promise<{ tookMs: number; build: Build }> => {
  let finish: (build: Build) => void = () => undefined;
  const finished = new Promise<Build>((resolve) => {
    finish = resolve;
  });
  const began = performance.now();
  host.subscribe((event) => {
    if (event.name === 'build.changed' && event.payload.finished_at !== null && event.payload.environment_id === environmentId) {
      finish(event.payload);
    }
  });
  await host.call('builds.start', { environment_id: environmentId, no_cache: true });
  const build = await finished;
  if (build.status !== 'succeeded') throw new Error(`The build ended as ${build.status}: ${build.error?.message}`);
  return { tookMs: performance.now() - began, build };
};

const buildRaw = async ({ client }: BenchRuntime, from: string): Promise<number> => {
  const compiled = compileRecipe({ recipe: parseRecipe(recipeYaml).recipe, from });
  const began = performance.now();
  const progress = await client.buildImage(packContext(compiled) as NodeJS.ReadableStream, { t: tag, version: '2', nocache: true });
  await new Promise<void>((resolve, reject) => client.modem.followProgress(progress, (error) => (error ? reject(error) : resolve())));
  await client.getImage(tag).inspect();
  const took = performance.now() - began;
  await turn();
  return took;
};

/** Measures on Docker, whose daemon has BuildKit inside. */
export const bench = async (): Promise<Ratio[]> => {
  const runtime = benchDocker();
  const host = await openBenchHost();
  try {
    const { id, image } = await host.pinned(await host.runtimeId(runtime), recipeYaml);
    const from = await baseOf(runtime, image.image_id ?? '');
    const boots: number[] = [];
    const { ours, raw } = await measureInTurns(rounds, {
      ours: async () => {
        const { tookMs, build } = await buildOurs(host, id);
        boots.push(bootTestMs(build));
        return tookMs - bootTestMs(build);
      },
      raw: () => buildRaw(runtime, from),
    });
    await runtime.client.getImage(tag).remove({ force: true });
    const against = 'BuildKit by dockerode, version 2, `nocache`, until the image is inspected';
    return [
      {
        what: 'Build of six small steps, uncached: `builds.start` until `build.changed` says finished, without the boot test',
        ...{ ours, baseline: raw, against, bound: { kind: 'at most', ratio: 1.05 } },
      },
      { what: 'The boot test of the same build', ours: median(boots), baseline: raw, against, bound: null },
    ];
  } finally {
    await host.close();
  }
};
