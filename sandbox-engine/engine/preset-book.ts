// The presets of each environment: what is kept, what is computed, and resolving anew those that package managers in an image tell of.
// Source: NETWORK.md 1.9 (a kept revision is used until a newer one is applied; offline the last result is used and marked).
import { SandlotError } from '../base/errors.ts';
import type { Environment, PolicyWarning, PresetId, ResolvedPreset, ResolvedPresets } from '../contract/model.ts';
import { checkPolicy } from '../egress/check-policy.ts';
import type { FetchChecked } from '../egress/fetch-checked.ts';
import { mcpPreset } from '../egress/mcp-preset.ts';
import { builtInPresets, isRegistryPreset, presetParts, presetsOf, type RegistryPresetId, unresolvedPreset } from '../egress/presets.ts';
import { allRegistries } from '../egress/registries/all-registries.ts';
import { resolveRegistry } from '../egress/resolve-registry.ts';
import { staticPreset } from '../egress/static-presets.ts';
import type { KeptPreset, PresetStore } from '../registry/registry.ts';

/** What the tools in an image printed, by preset. */
export type AskTools = (
  environment: Environment,
  imageId: string,
  managers: readonly RegistryPresetId[],
  signal: AbortSignal,
) => Promise<Record<string, string[]>>;

export interface PresetBookDeps {
  store: PresetStore;
  askTools: AskTools;
  fetchChecked: FetchChecked;
  /** ISO 8601. */
  now: () => string;
}

export interface PresetBook {
  /** The presets as they stand: the kept ones, the built-in ones that were never kept, and the environment's own servers. */
  of: (environment: Environment) => Promise<ResolvedPresets>;
  /** What to know about the stored policy of an environment. */
  warnings: (environment: Environment) => Promise<PolicyWarning[]>;
  /** After a policy was saved: built-in presets that it names for the first time are kept as they are today, others are forgotten. */
  keep: (environment: Environment) => Promise<void>;
  /** Asks the image and the registries anew and takes over newer built-in data. */
  resolve: (environment: Environment, imageId: string, signal: AbortSignal) => Promise<ResolvedPresets>;
  /** Resolves only what was not resolved on this image yet; for who is about to start a sandbox on it. */
  ready: (environment: Environment, imageId: string, signal: AbortSignal) => Promise<ResolvedPresets>;
}

/** Whether some rule that names the preset, by itself or as a part, allows private addresses. */
const allowsPrivate = ({ network_policy: policy }: Environment, id: PresetId): boolean =>
  'rules' in policy &&
  policy.rules.some((rule) => rule.allow_private === true && (rule.presets ?? []).some((named) => presetParts(named).includes(id)));

const byId = (presets: readonly ResolvedPreset[]): ResolvedPresets => Object.fromEntries(presets.map((preset) => [preset.id, preset]));

const registriesOf = (environment: Environment): RegistryPresetId[] => presetsOf(environment.network_policy).filter(isRegistryPreset);

const staticOf = (environment: Environment): ResolvedPreset[] =>
  presetsOf(environment.network_policy).flatMap((id) => staticPreset(id) ?? []);

interface Question {
  imageId: string;
  ids: readonly RegistryPresetId[];
  signal: AbortSignal;
}

/** What could not be found out is asked for again after this time, not at each start. */
const againMs = 3_600_000;

/** What stands when the tools could not be asked: the last result, marked; nothing when there is none. */
const unasked = (id: RegistryPresetId, kept: ResolvedPreset | undefined, thrown: SandlotError): KeptPreset => {
  const notes = [`The image could not be asked: ${thrown.message}`];
  const preset: ResolvedPreset = kept === undefined ? { ...unresolvedPreset(id), notes } : { ...kept, state: 'last_known', notes };
  return { imageId: null, preset };
};

type Answered = { ok: true; printed: Record<string, string[]> } | { ok: false; thrown: SandlotError };

const ask = async ({ askTools }: PresetBookDeps, environment: Environment, question: Question): Promise<Answered> => {
  try {
    return { ok: true, printed: await askTools(environment, question.imageId, question.ids, question.signal) };
  } catch (thrown) {
    question.signal.throwIfAborted();
    // An image without a shell starts all the same: it opens less.
    if (thrown instanceof SandlotError && thrown.code !== 'runtime_unavailable') return { ok: false, thrown };
    throw thrown;
  }
};

const resolveRegistries = async (deps: PresetBookDeps, environment: Environment, question: Question): Promise<void> => {
  const { store, fetchChecked, now } = deps;
  const { ids, imageId } = question;
  if (ids.length === 0) return;
  const kept = byId((await store.list(environment.id)).map(({ preset }) => preset));
  const answered = await ask(deps, environment, question);
  const resolved = ids.map(async (id): Promise<KeptPreset> => {
    if (!answered.ok) return unasked(id, kept[id], answered.thrown);
    const asked = { manager: allRegistries[id], outputs: answered.printed[id] ?? [], previous: kept[id] ?? null };
    return { imageId, preset: await resolveRegistry({ ...asked, allowPrivate: allowsPrivate(environment, id), fetchChecked, now: now() }) };
  });
  await store.put(environment.id, await Promise.all(resolved));
};

const isOpen = (kept: KeptPreset | undefined, imageId: string, now: string): boolean => {
  if (kept === undefined || kept.imageId !== imageId) return true;
  const askedAt = Date.parse(kept.preset.resolved_at ?? '');
  return kept.preset.state !== 'current' && !(Date.parse(now) - askedAt < againMs);
};

const hasRules = ({ network_policy: policy }: Environment): boolean => 'rules' in policy && policy.rules.length > 0;

/** Makes the book of one host. */
export const createPresetBook = (deps: PresetBookDeps): PresetBook => {
  const { store } = deps;
  const putStatic = (id: string, presets: readonly ResolvedPreset[]): Promise<void> =>
    store.put(
      id,
      presets.map((preset) => ({ preset, imageId: null })),
    );
  const of = async (environment: Environment): Promise<ResolvedPresets> => ({
    ...builtInPresets(),
    ...byId((await store.list(environment.id)).map(({ preset }) => preset)),
    'mcp-servers': mcpPreset(environment.mcp_servers),
  });
  return {
    of,
    warnings: async (environment) => {
      if (!hasRules(environment)) return [];
      const checked = checkPolicy(environment.network_policy, await of(environment));
      return checked.ok ? checked.warnings : [];
    },
    keep: async (environment) => {
      await store.keepOnly(environment.id, presetsOf(environment.network_policy));
      const known = (await store.list(environment.id)).map(({ preset }) => preset.id);
      const added = staticOf(environment).filter(({ id }) => !known.includes(id));
      await putStatic(environment.id, added);
    },
    resolve: async (environment, imageId, signal) => {
      await resolveRegistries(deps, environment, { imageId, ids: registriesOf(environment), signal });
      await putStatic(environment.id, staticOf(environment));
      return await of(environment);
    },
    ready: async (environment, imageId, signal) => {
      const kept = new Map((await store.list(environment.id)).map((one) => [one.preset.id, one]));
      const ids = registriesOf(environment).filter((id) => isOpen(kept.get(id), imageId, deps.now()));
      await resolveRegistries(deps, environment, { imageId, ids, signal });
      return await of(environment);
    },
  };
};
