// The gate before a pin: an image that holds a secret would hand it to every session, and to whoever gets the image.
// Source: SPEC.md 12 (secret gate: layers, history, logs).
import { createHash } from 'node:crypto';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { Build } from '../contract/model.ts';
import { resolveBase } from '../recipe/reference.ts';
import type { Secret } from '../stream/redact.ts';
import { createSecretSearch, type SecretSearch } from '../stream/secret-search.ts';
import type { StreamStore } from '../stream/stream.ts';
import { type SecretPlace, searchImage } from './search-image.ts';

export interface SecretGateDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  streams: Pick<StreamStore, 'read'>;
  /** Every value that must not be in an image. @throws secrets_damaged @throws secrets_locked */
  knownValues: () => Promise<Secret[]>;
  redactText: (text: string) => string;
}

/** Answers why the image of a build must not be pinned, or null. Asks the runtime for nothing while there are no secrets. */
export type SecretGate = (build: Build) => Promise<SandlotError | null>;

const logPart = 1_048_576;

/** Layers that were made of public things alone, before any recipe: a value that stands there is a common word, not a leak. */
const publicLayers = async (runtime: ContainerRuntime, build: Build, layers: readonly string[]): Promise<Set<string>> => {
  if (resolveBase(build.base).kind !== 'catalog') return new Set();
  const bases = await runtime.listImages({ [labelKeys.managed]: 'true', [labelKeys.role]: 'base' });
  const below = bases.map((base) => base.layers).filter((own) => own.every((layer, at) => layers[at] === layer));
  return new Set(below.sort((a, b) => b.length - a.length)[0]);
};

const searchLog = async ({ streams }: SecretGateDeps, build: Build, search: SecretSearch): Promise<SecretPlace | null> => {
  const look = search.openPieces();
  try {
    for (let from = 0; ; ) {
      const { bytes, next, size } = await streams.read(build.stream_id, from, logPart);
      const secret = look(bytes);
      if (secret !== null) return { secret, place: 'the log of its build' };
      if (next >= size || bytes.length === 0) return null;
      from = next;
    }
  } catch (thrown) {
    if (thrown instanceof SandlotError && thrown.code === 'not_found') return null;
    throw thrown;
  }
};

const refusal = (build: Build, { secret, place }: SecretPlace): SandlotError =>
  new SandlotError('secret_in_image', `The image of build ${build.id} holds the secret ${secret}: ${place}. It was not pinned.`, {
    details: { secret, place, build_id: build.id },
    nextAction: `Take the value out of the recipe, build again, and set a new one, since the old one is in an image: sandlot secret set ${secret}`,
  });

const fingerprintOf = (secrets: readonly Secret[]): string => {
  const hash = createHash('sha256');
  for (const { name, value } of secrets) hash.update(JSON.stringify([name, value]));
  return hash.digest('hex');
};

/** Makes the gate. An image that was found clean is not searched again for the same values. */
export const createSecretGate = (deps: SecretGateDeps): SecretGate => {
  const clean = new Map<string, string>();
  return async (build) => {
    const secrets = await deps.knownValues();
    const search = createSecretSearch(secrets);
    if (search === null || build.image_id === null) return null;
    const key = `${build.runtime} ${build.image_id} ${build.stream_id}`;
    const fingerprint = fingerprintOf(secrets);
    if (clean.get(key) === fingerprint) return null;
    const runtime = deps.runtimeOf(build.runtime);
    const image = await runtime.inspectImage(build.image_id);
    const skip = await publicLayers(runtime, build, image?.layers ?? []);
    const found = (await searchImage(await runtime.saveImage(build.image_id), search, skip)) ?? (await searchLog(deps, build, search));
    if (found === null) {
      clean.set(key, fingerprint);
      return null;
    }
    return refusal(build, { ...found, place: deps.redactText(found.place) });
  };
};
