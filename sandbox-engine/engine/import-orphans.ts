// After the registry was lost: environments that only the labels in a runtime still know, and how they come back.
import { labelKeys } from '../container/labels.ts';
import { recipeDigest } from '../recipe/digest.ts';
import { parseRecipe } from '../recipe/parse.ts';
import { createEnvironment } from '../registry/environment-rules.ts';
import type { House } from './house.ts';

interface Orphan {
  id: string;
  name: string;
  runtime: string;
  recipeYaml: string;
}

const decode = (label: string | undefined): string => (label === undefined ? '' : Buffer.from(label, 'base64').toString('utf8'));

const findOrphans = async ({ runtimes, registry, homeId }: House): Promise<Orphan[]> => {
  const found = new Map<string, Orphan>();
  for (const probe of runtimes.list().filter((one) => one.status === 'connected')) {
    const runtime = runtimes.get(probe.id);
    const ours = { [labelKeys.managed]: 'true', [labelKeys.home]: homeId };
    const labelled = [...(await runtime.listImages(ours)), ...(await runtime.listContainers(ours))];
    for (const { labels } of labelled) {
      const id = labels[labelKeys.environment];
      if (id === undefined || (await registry.environments.find(id)) !== null) continue;
      const recipeYaml = decode(labels[labelKeys.recipe]) || (found.get(id)?.recipeYaml ?? '');
      found.set(id, { id, name: labels[labelKeys.environmentName] ?? id, runtime: probe.id, recipeYaml });
    }
  }
  return [...found.values()];
};

/** Lists environments known only from labels; with `wanted` saves each with the recipe its image carries and all else at its default. */
export const importOrphans = async (house: House, wanted: boolean): Promise<{ id: string; name: string }[]> => {
  const orphans = await findOrphans(house);
  for (const orphan of wanted ? orphans : []) {
    const { recipe, sessionStart, knowledge } = parseRecipe(orphan.recipeYaml);
    const environment = createEnvironment(
      { name: orphan.name, runtime: orphan.runtime, description: 'Brought back from the labels of its image: check its settings.' },
      {
        id: orphan.id,
        now: house.clock.iso(),
        defaultRuntime: orphan.runtime,
        recipeYaml: orphan.recipeYaml,
        recipe,
        sessionStart,
        knowledge,
        recipeDigest: recipeDigest(recipe),
        setupWarnings: [],
      },
    );
    await house.registry.environments.insert(environment);
  }
  return orphans.map(({ id, name }) => ({ id, name }));
};
