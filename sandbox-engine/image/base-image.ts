// Brings the base of a recipe: present -> pulled -> bootstrapped, checked, and with the runtime layer on top. Made once, then shared.
// Source: SPEC.md 3 (Bases, runtime layer).
import { createHash } from 'node:crypto';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import { type CatalogEntry, bootstrapSuite, resolveBase } from '../recipe/catalog.ts';
import { compileRuntimeLayer, runtimeLayerVersion } from '../recipe/runtime-layer.ts';
import { packContext } from './build-context.ts';
import type { BuildLog } from './build-log.ts';
import { checkArchitecture, checkDebianFamily, readDistribution } from './checks.ts';

export interface PreparedBase {
  /** Identifies the base in a fingerprint: its registry digest, or its image id when it has none. */
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
  /** @throws RegistryError @throws WrongArchitecture @throws NotDebianFamily @throws build_failed @throws cancelled */
  ensure: (request: EnsureRequest) => Promise<PreparedBase>;
}

export interface BaseImageDeps {
  makeLabels: MakeLabels;
  newId: NewId;
  architectureOf: (runtimeId: string) => Promise<string>;
  bootstrap: (request: { runtime: ContainerRuntime; suite: string; reference: string; onLine: (line: string) => void; signal: AbortSignal }) => Promise<string>;
  /** Asks the registry how large the compressed layers are before anything is pulled; null when it cannot be asked. */
  checkBeforePull: (reference: string, architecture: string, signal: AbortSignal) => Promise<void>;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

const digestOf = (image: ImageDetails): string => image.repoDigests[0]?.split('@')[1] ?? image.id;

/** Makes the provider of bases; preparations on one runtime wait for each other, so that none is done twice. */
export const createBaseImages = (deps: BaseImageDeps): BaseImages => {
  const tails = new Map<string, Promise<unknown>>();

  const pull = async ({ runtime, log, signal }: EnsureRequest, reference: string): Promise<ImageDetails> => {
    const architecture = await deps.architectureOf(runtime.id);
    await deps.checkBeforePull(reference, architecture, signal);
    log.line(`Pulling ${reference}`);
    return await runtime.pullImage({ reference, platform: `linux/${architecture}`, onProgress: log.line, signal });
  };

  const bootstrapDebian = async ({ runtime, log, signal }: EnsureRequest, suite: string): Promise<ImageDetails> => {
    const reference = `sandlot/bootstrap:${suite}`;
    const there = await runtime.inspectImage(reference);
    if (there !== null) return there;
    log.line(`Bootstrapping Debian ${suite} from the package mirror of this machine`);
    await deps.bootstrap({ runtime, suite, reference, onLine: log.line, signal });
    const made = await runtime.inspectImage(reference);
    if (made === null) throw new SandlotError('runtime_error', `The runtime took the bootstrapped Debian ${suite}, but does not list it.`);
    return made;
  };

  /** Present -> pulled -> bootstrapped. `made` says that the toolchain still has to be put on plain Debian. */
  const obtain = async (request: EnsureRequest, reference: string, suite: string | null): Promise<{ image: ImageDetails; made: boolean }> => {
    const present = await request.runtime.inspectImage(reference);
    if (present !== null) return { image: present, made: false };
    if (suite !== null && (await request.runtime.inspectImage(`sandlot/bootstrap:${suite}`)) !== null) {
      return { image: await bootstrapDebian(request, suite), made: true };
    }
    try {
      return { image: await pull(request, reference), made: false };
    } catch (thrown) {
      const refused = thrown instanceof SandlotError && (thrown.code === 'RegistryError' || thrown.code === 'runtime_error');
      if (!refused || suite === null || request.signal.aborted) throw thrown;
      request.log.line(`${thrown.message} There is another way: `);
      return { image: await bootstrapDebian(request, suite), made: true };
    }
  };

  const layer = async (request: EnsureRequest, image: ImageDetails, entry: CatalogEntry | null): Promise<PreparedBase> => {
    const { runtime, log, signal } = request;
    const digest = digestOf(image);
    const tag = `sandlot/base:${shortHash(JSON.stringify([digest, runtimeLayerVersion, entry?.toolchain ?? null]))}`;
    const there = await runtime.inspectImage(tag);
    if (there !== null) {
      log.finish('cached');
      return { digest, imageId: there.id, tag };
    }
    const compiled = compileRuntimeLayer({ from: image.tags[0] ?? image.id, toolchain: entry?.toolchain ?? null });
    const imageId = await runtime.buildImage({
      context: packContext(compiled),
      dockerfile: 'Dockerfile',
      tag,
      labels: { ...deps.makeLabels('base'), [labelKeys.runtimeLayer]: runtimeLayerVersion },
      onEvent: (event) => log.onBuildEvent(event, []),
      signal,
    });
    return { digest, imageId, tag };
  };

  const prepare = async (request: EnsureRequest): Promise<PreparedBase> => {
    const { runtime, log } = request;
    const resolved = resolveBase(request.base);
    const reference = resolved.kind === 'catalog' ? resolved.entry.reference : resolved.reference.canonical;
    log.begin('Base image');
    const { image, made } = await obtain(request, reference, bootstrapSuite(reference) ?? (resolved.kind === 'catalog' ? resolved.entry.suite : null));
    checkArchitecture(reference, image.architecture, await deps.architectureOf(runtime.id));
    if (!made && image.labels[labelKeys.runtimeLayer] === undefined) {
      const name = `sandlot-probe-${deps.newId('req').replace('_', '-')}`;
      checkDebianFamily(reference, await readDistribution(runtime, image, { name, makeLabels: deps.makeLabels }));
    }
    log.line(`${reference} ${digestOf(image)}`);
    log.begin('Runtime layer');
    return await layer(request, image, made && resolved.kind === 'catalog' ? resolved.entry : null);
  };

  return {
    ensure: async (request) => {
      const before = tails.get(request.runtime.id) ?? Promise.resolve();
      const run = before.then(() => prepare(request));
      tails.set(
        request.runtime.id,
        run.catch(() => undefined),
      );
      return await run;
    },
  };
};
