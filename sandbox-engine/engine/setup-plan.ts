// What a setup run starts from: the image a session would boot, on the environment's runtime, with its compute.
import { SandlotError } from '../base/errors.ts';
import type { Environment } from '../contract/model.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { findEnvironment, type Ground, type ImageRooms } from './house.ts';
import { activeOrDefault } from './resolve-image.ts';
import { resolveResources } from './resolve-resources.ts';

export interface SetupPlan {
  runtimeId: string;
  imageId: string;
  cpus: number;
  memoryBytes: number;
}

export type PlanSetup = (environment: Environment, signal: AbortSignal, onLine: (line: string) => void) => Promise<SetupPlan>;

/** The recipe's image on a runtime that is not the environment's own: built there, and shared when it was built before. */
const imageElsewhere = async ({ builds }: ImageRooms, environment: Environment, onLine: (line: string) => void): Promise<string> => {
  onLine(`Building the recipe on ${environment.runtime}`);
  const build = await builds.finished((await builds.start(environment, { noCache: false })).id);
  if (build.status === 'succeeded' && build.image_id !== null) return build.image_id;
  throw new SandlotError(
    'build_failed',
    `The recipe could not be built on "${environment.runtime}": ${build.error?.message ?? build.status}`,
    {
      nextAction: `See the log of build ${build.id}.`,
    },
  );
};

/** Makes the planner; making a base or an image may take minutes, so it tells of its progress and can be stopped. */
export const createSetupPlan =
  (
    ground: Pick<Ground, 'runtimes' | 'registry'>,
    images: ImageRooms,
    views: EnvironmentViews,
    defaultBase: PrepareDefaultBase,
  ): PlanSetup =>
  async (environment, signal, onLine) => {
    const { runtime } = environment;
    const own = await findEnvironment(ground, environment.id);
    const { imageId: active, fallback } = activeOrDefault(await views.of(own));
    if (fallback !== null) onLine(fallback);
    const recipeImage = active === null || own.runtime === runtime ? active : await imageElsewhere(images, environment, onLine);
    const compute = resolveResources(environment.resources, await ground.runtimes.info(runtime));
    return { runtimeId: runtime, imageId: recipeImage ?? (await defaultBase(runtime, signal, onLine)), ...compute };
  };
