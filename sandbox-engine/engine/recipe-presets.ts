// Whose tools are asked for their registries: those of the image that the recipe made, or of the default base. Never of the image that a
// setup run prepared: a setup script stands under the policy, and by a line in ~/.npmrc it would widen the policy of the sessions after it.
import type { EnvironmentView } from '../contract/model.ts';
import { isRegistryPreset, presetsOf } from '../egress/presets.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { findEnvironment, type Ground } from './house.ts';
import type { PresetBook } from './preset-book.ts';
import { activeOrDefault } from './resolve-image.ts';

/** The image whose tools count for an environment; the default base is made when it is missing. */
export const toolImage = async (view: EnvironmentView, defaultBase: PrepareDefaultBase, signal: AbortSignal): Promise<string> =>
  activeOrDefault(view).imageId ?? (await defaultBase(view.runtime, signal, () => undefined));

/** Readies presets for who starts a sandbox on whatever image. */
export const recipePresets = (
  { registry, presets }: Pick<Ground, 'registry' | 'presets'>,
  views: Pick<EnvironmentViews, 'of'>,
  defaultBase: PrepareDefaultBase,
): Pick<PresetBook, 'ready'> => ({
  ready: async (environment, _booted, signal) => {
    if (!presetsOf(environment.network_policy).some(isRegistryPreset)) return await presets.of(environment);
    // As it is stored: a setup run on another runtime asks for the same environment, whose own image is the one that counts.
    const stored = await findEnvironment({ registry }, environment.id);
    const view = await views.of(stored);
    return await presets.ready({ ...environment, runtime: stored.runtime }, await toolImage(view, defaultBase, signal), signal);
  },
});
