// Unsaved edits of an environment: what they change, what the page shows meanwhile, and the body that saves them.
import type { EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Draft, State } from './state.ts';

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const storedValue = (environment: EnvironmentView, key: string): unknown => {
  if (key !== 'resources') return (environment as Record<string, unknown>)[key];
  const { size, cpus, memory_gib, gpu } = environment.resources;
  return size === 'custom' ? { size, cpus, memory_gib, gpu } : { size, gpu };
};

/** The state with `patch` added to the edits of `environment`; a field edited back to what is stored is no edit. */
export const putDraft = (state: State, environment: EnvironmentView, patch: EnvironmentPatch): State => {
  const known: Draft = state.drafts[environment.id] ?? { revision: environment.revision, patch: {} };
  const entries = Object.entries({ ...known.patch, ...patch }).filter(([key, value]) => !isSame(value, storedValue(environment, key)));
  const { [environment.id]: _before, ...others } = state.drafts;
  if (entries.length === 0) return { ...state, drafts: others };
  return { ...state, drafts: { ...others, [environment.id]: { revision: known.revision, patch: Object.fromEntries(entries) } } };
};

/** The state without edits of one environment. */
export const dropDraft = (state: State, environmentId: string): State => {
  const { [environmentId]: _gone, ...drafts } = state.drafts;
  return { ...state, drafts };
};

/** The same edits, from now on meant for `revision`: the choice to save over what somebody else changed. */
export const rebaseDraft = (state: State, environmentId: string, revision: number): State => {
  const draft = state.drafts[environmentId];
  return draft ? { ...state, drafts: { ...state.drafts, [environmentId]: { ...draft, revision } } } : state;
};

/** What `environments.update` gets: the edits, the revision they were begun on and, when access changes, what access was seen. */
export const savePatch = (environment: EnvironmentView, draft: Draft): EnvironmentPatch => {
  const changesAccess = 'network_policy' in draft.patch || 'privileged' in draft.patch;
  return {
    ...draft.patch,
    revision: draft.revision,
    ...(changesAccess && { expected_access: { network_policy: environment.network_policy, privileged: environment.privileged } }),
  };
};
