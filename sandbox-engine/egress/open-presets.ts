// Which presets may still cover a destination that no rule allows: those whose hosts are not, or not all, known yet. Pure.
import type { Explanation, NetworkPolicy, PresetId, ResolvedPresets } from '../contract/model.ts';
import { presetParts } from './presets.ts';

const isOpen = (id: PresetId, presets: ResolvedPresets): boolean => {
  const state = presets[id]?.state ?? 'unresolved';
  return state === 'unresolved' || state === 'configured_only';
};

/** The presets of the rules before the one that decided; none where it is allowed, or where no rule could allow it. */
export const openPresets = (policy: NetworkPolicy, presets: ResolvedPresets, { verdict, rule, how_to_allow }: Explanation): PresetId[] => {
  if (verdict === 'allowed' || how_to_allow === null || !('rules' in policy)) return [];
  const before = rule === null ? policy.rules : policy.rules.slice(0, rule);
  const parts = before.flatMap((one) => (one.presets ?? []).flatMap(presetParts));
  return [...new Set(parts)].filter((id) => isOpen(id, presets));
};

/** The same in a person's words; empty when there is none. */
export const openPresetsSentence = (ids: readonly PresetId[]): string => {
  if (ids.length === 0) return '';
  const [which, are, them] = ids.length === 1 ? ['The preset', 'is', 'it'] : ['The presets', 'are', 'them'];
  const what = `${which} ${ids.join(', ')} ${are} not resolved yet and may cover this host`;
  return ` ${what}: "sandlot egress access" shows what is known, "sandlot egress resolve" asks for ${them}.`;
};
