// What a setup run starts from: the image a session would boot, on the environment's runtime, with its compute.
import type { Environment } from '../contract/model.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import type { Ground } from './house.ts';
import { activeOrDefault } from './resolve-image.ts';
import { resolveResources } from './resolve-resources.ts';

export interface SetupPlan {
  runtimeId: string;
  imageId: string;
  cpus: number;
  memoryBytes: number;
}

export type PlanSetup = (environment: Environment, signal: AbortSignal, onLine: (line: string) => void) => Promise<SetupPlan>;

/** Makes the planner; making the default base may take minutes, so it tells of its progress and can be stopped. */
export const createSetupPlan =
  (ground: Pick<Ground, 'runtimes'>, views: EnvironmentViews, defaultBase: PrepareDefaultBase): PlanSetup =>
  async (environment, signal, onLine) => {
    const { imageId } = activeOrDefault(await views.of(environment));
    const compute = resolveResources(environment.resources, await ground.runtimes.info(environment.runtime));
    return { runtimeId: environment.runtime, imageId: imageId ?? (await defaultBase(environment.runtime, signal, onLine)), ...compute };
  };
