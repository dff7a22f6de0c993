// An environment with what is computed beside it: verdict, image state, what is in flight. Told to the clients when any of it changes.
import type { Environment, EnvironmentView, VerdictKey } from '../contract/model.ts';
import { runtimeLayerVersion } from '../recipe/runtime-layer.ts';
import { verdict, verdictKey } from '../setup/verdict.ts';
import type { House } from './house.ts';

export interface EnvironmentViews {
  of: (environment: Environment) => Promise<EnvironmentView>;
  /** What a verdict about it is bound to now. */
  keyOf: (environment: Environment) => Promise<VerdictKey>;
  /** Emits `environment.changed` with the newest view, once for all that ask in the same turn; nothing when it was deleted. */
  tell: (environmentId: string) => void;
  /** From now on tells by itself whenever a build or a setup run of an environment begins or ends. */
  follow: () => void;
}

type Rooms = Pick<House, 'registry' | 'presence' | 'builds' | 'pins' | 'bus' | 'presets'>;

/** What setup runs of this environment start from, as it enters the verdict. */
const bootKey = (image: EnvironmentView['image']): { imageId: string; runtimeLayer: string } => ({
  imageId: image.state === 'active' && image.image_id !== null ? image.image_id : 'default',
  runtimeLayer: runtimeLayerVersion,
});

const viewOf = async ({ registry, presence, builds, pins, presets }: Rooms, environment: Environment): Promise<EnvironmentView> => {
  const [image, runs, network_warnings] = await Promise.all([
    pins.imageState(environment),
    registry.setupRuns.verdictRuns(environment.id),
    presets.warnings(environment),
  ]);
  const prepared = runs.newestFinished?.prepared_image_id ?? null;
  const preparedImagePresent = prepared !== null && (await presence.of(environment.runtime, prepared)) !== 'missing';
  return {
    ...environment,
    image,
    active_build_id: builds.activeOf(environment.id),
    active_setup_run_id: runs.inFlight?.id ?? null,
    network_warnings,
    setup_verification: verdict({
      hasScript: environment.setup !== null,
      key: verdictKey(environment, bootKey(image)),
      ...runs,
      preparedImagePresent,
    }),
  };
};

/** Makes the views over the rooms of one host. */
export const createEnvironmentViews = (rooms: Rooms): EnvironmentViews => {
  const { registry, pins, bus } = rooms;
  const asked = new Set<string>();

  const of = (environment: Environment): Promise<EnvironmentView> => viewOf(rooms, environment);

  const tellNow = async (): Promise<void> => {
    const ids = [...asked];
    asked.clear();
    for (const id of ids) {
      const environment = await registry.environments.find(id);
      if (environment !== null) bus.emit('environment.changed', await of(environment));
    }
  };

  const fail = (thrown: unknown): void =>
    bus.emit('notice', { level: 'error', message: thrown instanceof Error ? thrown.message : String(thrown) });

  const tell = (environmentId: string): void => {
    if (asked.size === 0) setImmediate(() => void tellNow().catch(fail));
    asked.add(environmentId);
  };

  const follow = (): void => {
    const told = new Map<string, string>();
    bus.subscribe(({ name, payload }) => {
      if (name !== 'build.changed' && name !== 'setup_run.changed') return;
      if (told.get(payload.id) === payload.status) return;
      told.set(payload.id, payload.status);
      tell(payload.environment_id);
      if (payload.finished_at !== null) told.delete(payload.id);
    });
  };

  const keyOf = async (environment: Environment): Promise<VerdictKey> =>
    verdictKey(environment, bootKey(await pins.imageState(environment)));

  return { of, keyOf, tell, follow };
};
