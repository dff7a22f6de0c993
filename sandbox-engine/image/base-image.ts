// Brings the base of a recipe: present -> pulled -> bootstrapped, checked, and with the runtime layer on top. Made once, then shared.
// Source: SPEC.md 3 (Bases, runtime layer).
import { createHash } from 'node:crypto';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import { createTurns } from '../base/take-turns.ts';
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import { packContext } from '../container/pack-context.ts';
import { bootstrapSuite, type Toolchain, toolchainFor } from '../recipe/catalog.ts';
import { type CompiledRecipe, compileRecipe } from '../recipe/compile.ts';
import { type ImageReference, parseImageReference, resolveBase } from '../recipe/reference.ts';
import { runtimeLayer, runtimeLayerVersion } from '../recipe/runtime-layer.ts';
import type { BuildLog } from './build-log.ts';
import { checkArchitecture, checkDebianFamily, readDistribution } from './checks.ts';
import { pullTrouble } from './login-wanted.ts';
import { lookInto } from './look-into.ts';

export interface PreparedBase {
  /** Identifies the base in a fingerprint: its image id, mixed with whatever Sandlot adds that is not in the recipe. */
  digest: string;
  /** The image with the runtime layer, to build from or to boot. */
  imageId: string;
  tag: string;
}

interface EnsureRequest {
  runtime: ContainerRuntime;
  /** Catalog name or image reference. */
  base: string;
  log: BuildLog;
  signal: AbortSignal;
}

export interface BaseImages {
  /** @throws RegistryError @throws PullSecretError @throws WrongArchitecture @throws NotDebianFamily @throws build_failed @throws cancelled */
  ensure: (request: EnsureRequest) => Promise<PreparedBase>;
  /** A tag of the base as it comes, with nothing of ours on it. @throws RegistryError @throws PullSecretError @throws build_failed @throws cancelled */
  plain: (request: EnsureRequest) => Promise<string>;
}

export interface BaseImageDeps {
  makeLabels: MakeLabels;
  newId: NewId;
  architectureOf: (runtimeId: string) => Promise<string>;
  bootstrap: (request: {
    runtime: ContainerRuntime;
    suite: string;
    reference: string;
    onLine: (line: string) => void;
    signal: AbortSignal;
  }) => Promise<string>;
  /** Certificate authorities, as PEM texts, that bases trust besides the public ones. */
  authorities: () => Promise<string[]>;
  /** Asks the registry what the reference is before anything is pulled; says nothing when it cannot be asked. */
  checkBeforePull: (reference: ImageReference, architecture: string, signal: AbortSignal) => Promise<void>;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const shortHash = (text: string): string => hash(text).slice(0, 24);
const bootstrapTag = (suite: string): string => `sandlot/bootstrap:${suite}`;

// The image id, not a registry digest: Podman makes one up for what was imported.
const digestOf = (image: ImageDetails): string => image.id;

const pull = async (deps: BaseImageDeps, { runtime, log, signal }: EnsureRequest, reference: ImageReference): Promise<ImageDetails> => {
  const architecture = await deps.architectureOf(runtime.id);
  await deps.checkBeforePull(reference, architecture, signal);
  log.line(`Pulling ${reference.canonical}`);
  const request = { reference: reference.canonical, platform: `linux/${architecture}`, onProgress: log.line, signal };
  return await runtime.pullImage(request).catch((thrown: unknown) => {
    throw pullTrouble(reference, thrown);
  });
};

const bootstrapDebian = async (deps: BaseImageDeps, { runtime, log, signal }: EnsureRequest, suite: string): Promise<ImageDetails> => {
  const reference = bootstrapTag(suite);
  const there = await runtime.inspectImage(reference);
  if (there !== null) return there;
  log.line(`Bootstrapping Debian ${suite} from the package mirror of this machine`);
  await deps.bootstrap({ runtime, suite, reference, onLine: log.line, signal });
  const made = await runtime.inspectImage(reference);
  if (made === null) throw new SandlotError('runtime_error', `The runtime took the bootstrapped Debian ${suite}, but does not list it.`);
  return made;
};

/** How a pull fails where another way may lead to the base. */
const refusals: ReadonlySet<string> = new Set(['RegistryError', 'PullSecretError', 'runtime_error']);

/** Present -> pulled -> bootstrapped. `made` says that it is plain Debian, whatever the reference promised. */
const obtain = async (
  deps: BaseImageDeps,
  request: EnsureRequest,
  reference: ImageReference,
  suite: string | null,
): Promise<{ image: ImageDetails; made: boolean }> => {
  const present = await request.runtime.inspectImage(reference.canonical);
  if (present !== null) return { image: present, made: false };
  if (suite !== null && (await request.runtime.inspectImage(bootstrapTag(suite))) !== null) {
    return { image: await bootstrapDebian(deps, request, suite), made: true };
  }
  try {
    return { image: await pull(deps, request, reference), made: false };
  } catch (thrown) {
    const isRefused = thrown instanceof SandlotError && refusals.has(thrown.code);
    if (!isRefused || suite === null || request.signal.aborted) throw thrown;
    request.log.line(`It could not be pulled: ${thrown.message}`);
    return { image: await bootstrapDebian(deps, request, suite), made: true };
  }
};

/** Other authorities make another base, as another digest does. */
const withAuthorities = (digest: string, authorities: string[]): string =>
  authorities.length === 0 ? digest : `sha256:${hash(JSON.stringify([digest, authorities]))}`;

const layeredTag = (digest: string): string => `sandlot/base:${shortHash(JSON.stringify([digest, runtimeLayerVersion]))}`;

/** The image with this tag: the one that is there, else built. */
const buildOnce = async (
  deps: BaseImageDeps,
  { runtime, log, signal }: EnsureRequest,
  { tag, there, compile }: { tag: string; there: ImageDetails | null; compile: () => CompiledRecipe | Promise<CompiledRecipe> },
): Promise<string> => {
  if (there !== null) {
    log.finish('cached');
    return there.id;
  }
  const compiled = await compile();
  const imageId = await runtime.buildImage({
    context: packContext(compiled),
    dockerfile: 'Dockerfile',
    tag,
    labels: deps.makeLabels('base', { runtimeLayer: runtimeLayerVersion }),
    buildArgs: compiled.buildArgs,
    onEvent: (event) => log.onBuildEvent(event, []),
    signal,
  });
  log.finish('succeeded');
  return imageId;
};

/** A tag of our own for exactly this image: BuildKit takes no bare id, and a person's tag may mean another image by then. */
const sourceTag = async (runtime: ContainerRuntime, image: ImageDetails): Promise<string> => {
  const tag = `sandlot/base-source:${shortHash(image.id)}`;
  await runtime.tagImage(image.id, tag);
  return tag;
};

const layer = async (
  deps: BaseImageDeps,
  request: EnsureRequest,
  { image, there, toolchain }: { image: ImageDetails; there: ImageDetails | null; toolchain: Toolchain | null },
): Promise<PreparedBase> => {
  const authorities = await deps.authorities();
  const digest = withAuthorities(digestOf(image), authorities);
  const layered = layeredTag(digest);
  request.log.begin('Runtime layer');
  const compile = async () => {
    const from = await sourceTag(request.runtime, image);
    return runtimeLayer({ from, labelKey: labelKeys.runtimeLayer, authorities });
  };
  const imageId = await buildOnce(deps, request, { tag: layered, there, compile });
  if (toolchain === null) return { digest, imageId, tag: layered };
  const key = shortHash(JSON.stringify([digest, runtimeLayerVersion, toolchain]));
  const tag = `sandlot/base:${key}`;
  request.log.begin('Toolchain');
  const packages = { apt: toolchain.apt, cargo: [], gem: [], go: [], npm: [], pip: [] };
  const recipe = { env: {}, packages, initialize: toolchain.commands };
  return {
    digest: `sha256:${hash(`${digest} ${key}`)}`,
    imageId: await buildOnce(deps, request, {
      tag,
      there: await request.runtime.inspectImage(tag),
      compile: () => compileRecipe({ recipe, from: layered }),
    }),
    tag,
  };
};

const wantedBase = (base: string) => {
  const resolved = resolveBase(base);
  const reference = resolved.kind === 'catalog' ? parseImageReference(resolved.entry.reference) : resolved.reference;
  const suite = resolved.kind === 'catalog' ? resolved.entry.toolchain.suite : bootstrapSuite(reference);
  return { resolved, reference, suite };
};

const prepare = async (deps: BaseImageDeps, request: EnsureRequest): Promise<PreparedBase> => {
  const { runtime, log } = request;
  const { resolved, reference, suite } = wantedBase(request.base);
  log.begin('Base image');
  const { image, made } = await obtain(deps, request, reference, suite);
  checkArchitecture(reference.canonical, image.architecture, await deps.architectureOf(runtime.id));
  const layered = layeredTag(withAuthorities(digestOf(image), await deps.authorities()));
  const there = await runtime.inspectImage(layered);
  if (!made && there === null) {
    const name = `sandlot-probe-${deps.newId('req').replace('_', '-')}`;
    const place = { imageId: image.id, name, labels: deps.makeLabels('probe') };
    checkDebianFamily(reference.canonical, await lookInto(runtime, place, (read) => readDistribution(read, image.architecture)));
  }
  log.line(`${reference.canonical} ${digestOf(image)}`);
  // The catalog's desktop is always made from plain Debian, as are all others that could not be pulled.
  const isPlainDebian = made || bootstrapSuite(reference) !== null;
  const toolchain = resolved.kind === 'catalog' ? toolchainFor(resolved.entry, isPlainDebian) : null;
  return await layer(deps, request, { image, there, toolchain });
};

const tellWait =
  ({ log }: EnsureRequest): (() => void) =>
  () =>
    log.line('Waiting until a base that somebody else asked for is made.');

/** Makes the provider of bases; preparations on one runtime wait for each other, so that none is done twice. */
export const createBaseImages = (deps: BaseImageDeps): BaseImages => {
  const inTurn = createTurns();
  return {
    ensure: (request) => inTurn(request.runtime.id, () => prepare(deps, request), tellWait(request)),
    plain: (request) =>
      inTurn(
        request.runtime.id,
        async () => {
          const { reference, suite } = wantedBase(request.base);
          return await sourceTag(request.runtime, (await obtain(deps, request, reference, suite)).image);
        },
        tellWait(request),
      ),
  };
};
