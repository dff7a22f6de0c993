// Which presets there are, what each stands for, and how a set of resolved ones is put together. Asks nobody; see registry-presets.
// Source: NETWORK.md 1.9.
import type { NetworkPolicy, PresetHost, PresetId, ResolvedPreset, ResolvedPresets } from '../contract/model.ts';
import { staticPreset, staticPresetIds } from './static-presets.ts';

/** The presets that are what a package manager in the image is configured to use. */
export const registryPresetIds = ['npm', 'pip', 'go', 'cargo', 'gem', 'apt', 'maven'] as const satisfies readonly PresetId[];
export type RegistryPresetId = (typeof registryPresetIds)[number];

/** Whether a preset comes from asking a package manager. */
export const isRegistryPreset = (id: PresetId): id is RegistryPresetId => (registryPresetIds as readonly string[]).includes(id);

/** The presets that a name stands for: itself, or one for each package manager. */
export const presetParts = (id: PresetId): readonly PresetId[] => (id === 'package-registries' ? registryPresetIds : [id]);

/** The presets that a policy names, each once, with the parts of those that stand for several. */
export const presetsOf = (policy: NetworkPolicy): PresetId[] => {
  const named = 'rules' in policy ? policy.rules.flatMap((rule) => rule.presets ?? []) : [];
  return [...new Set(named.flatMap(presetParts))];
};

/** The hosts of a preset with the part that each is from; nothing for what was never resolved. */
export const presetHosts = (id: PresetId, presets: ResolvedPresets): (PresetHost & { preset: PresetId })[] =>
  presetParts(id).flatMap((part) => (presets[part]?.hosts ?? []).map((host) => ({ ...host, preset: part })));

/** The built-in presets of this version, by id. */
export const builtInPresets = (): ResolvedPresets =>
  Object.fromEntries(staticPresetIds.map((id) => [id, staticPreset(id)])) as Partial<Record<PresetId, ResolvedPreset>>;

/** A preset about which nothing is known yet: it opens nothing. */
export const unresolvedPreset = (id: PresetId): ResolvedPreset => ({
  id,
  revision: '',
  source: 'not resolved yet',
  resolved_at: null,
  state: 'unresolved',
  hosts: [],
  notes: [],
});
