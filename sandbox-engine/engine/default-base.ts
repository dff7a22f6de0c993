// The default base, made when it is first needed: what sessions and setup runs boot from while nothing is pinned.
import type { Clock } from '../base/clock.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { BaseImages } from '../image/base-image.ts';
import type { BuildLog } from '../image/build-log.ts';

/** Answers the image id of the default base on a runtime; `onLine` tells of the progress when it has to be made. */
export type PrepareDefaultBase = (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void) => Promise<string>;

/** Catalog name of the default base. Source: SPEC.md 3 (Pin). */
const defaultBaseName = 'debian';

const plainLog = (onLine: (line: string) => void): BuildLog => ({
  begin: onLine,
  finish: () => undefined,
  line: onLine,
  onBuildEvent: (event) => {
    if (event.kind === 'log') onLine(event.bytes.toString('utf8').trimEnd());
  },
  current: () => null,
  lastWords: () => null,
  flush: () => Promise.resolve(),
});

/** Makes the provider of the default base. A base found once is trusted for a minute, so that a launch asks for nothing. */
export const createDefaultBase = (deps: {
  bases: BaseImages;
  runtimeOf: (id: string) => ContainerRuntime;
  clock: Clock;
}): PrepareDefaultBase => {
  const known = new Map<string, { imageId: string; until: number }>();
  return async (runtimeId, signal, onLine) => {
    const before = known.get(runtimeId);
    if (before !== undefined && before.until > deps.clock.monotonic()) return before.imageId;
    const { imageId } = await deps.bases.ensure({
      runtime: deps.runtimeOf(runtimeId),
      base: defaultBaseName,
      log: plainLog(onLine),
      signal,
    });
    known.set(runtimeId, { imageId, until: deps.clock.monotonic() + 60_000 });
    return imageId;
  };
};

/** Makes the provider of the plain Debian under the default base: a tag to build from, for what must hold nothing of a sandbox. */
export const createPlainBase =
  ({ bases, runtimeOf }: { bases: BaseImages; runtimeOf: (id: string) => ContainerRuntime }): PrepareDefaultBase =>
  (runtimeId, signal, onLine) =>
    bases.plain({ runtime: runtimeOf(runtimeId), base: defaultBaseName, log: plainLog(onLine), signal });
