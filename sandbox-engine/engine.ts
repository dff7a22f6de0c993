// Opens every room, wires them to each other, and offers one handler a call. The only file that knows all of them.
import { join } from 'node:path';
import { systemClock } from './base/clock.ts';
import { createEventBus, type EventBus } from './base/event-bus.ts';
import { createIds } from './base/ids.ts';
import { processIdentity } from './base/process-identity.ts';
import { bootstrapDebian } from './container/bootstrap.ts';
import { createLabels } from './container/labels.ts';
import { createRuntimes } from './container/runtimes.ts';
import { createAppCalls } from './engine/app-calls.ts';
import { createBuildCalls } from './engine/build-calls.ts';
import { createDefaultBase } from './engine/default-base.ts';
import { createEnvironmentCalls } from './engine/environment-calls.ts';
import { createEnvironmentViews } from './engine/environment-views.ts';
import { readHomeId } from './engine/home-id.ts';
import type { Handlers, House } from './engine/house.ts';
import { followRuntime, recoverAll } from './engine/recover.ts';
import { activeOrDefault } from './engine/resolve-image.ts';
import { resolveResources } from './engine/resolve-resources.ts';
import { createSessionCalls } from './engine/session-calls.ts';
import { createSetupCalls } from './engine/setup-calls.ts';
import { createBaseImages } from './image/base-image.ts';
import { createBuilds } from './image/build-image.ts';
import { createImagePresence } from './image/image-presence.ts';
import { createPins } from './image/pin.ts';
import { checkBeforePull } from './image/registry-manifest.ts';
import { openRegistry } from './registry/open-registry.ts';
import { createSessions } from './session/sessions.ts';
import { createSetupRuns } from './setup/run-setup.ts';
import { createStreamStore } from './stream/stream-store.ts';

export interface EngineOptions {
  /** Absolute; made when it is missing, readable by its owner only. */
  dataFolder: string;
  /** Where short-lived sockets go. */
  runFolder: string;
  env: NodeJS.ProcessEnv;
  version: string;
  /** Called by `app.shutdown`. */
  onShutdown?: (stopSessions: boolean) => void;
}

export interface Engine {
  handlers: Handlers;
  events: EventBus;
  /** Whether anything is at work that a quiet host must wait for: a build, a setup run, a session that starts. */
  isBusy: () => Promise<boolean>;
  close: (options?: { stopSessions?: boolean }) => Promise<void>;
}

/** Opens the data folder and the runtimes. @throws registry_locked when another process holds the registry */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const { dataFolder, env, version } = options;
  const clock = systemClock;
  const newId = createIds(clock.now);
  const bus = createEventBus();
  const homeId = await readHomeId(dataFolder);
  const makeLabels = createLabels(homeId, await processIdentity());
  const registry = await openRegistry({ folder: dataFolder, clock });

  const streams = createStreamStore({
    folder: join(dataFolder, 'streams'),
    onGrew: ({ streamId, size, ended, from, chunk }) =>
      bus.emit('stream.grew', {
        stream_id: streamId,
        size,
        ended,
        ...(from === undefined || chunk === undefined ? {} : { from, chunk: chunk.toString('base64') }),
      }),
  });

  // The runtimes tell of events before the rooms that listen exist: the listeners are set once all is wired.
  let follow: ReturnType<typeof followRuntime> | null = null;
  const runtimes = await createRuntimes({
    env,
    runFolder: options.runFolder,
    onChange: (list) => bus.emit('runtimes.changed', { runtimes: list }),
    onEvent: (id, event) => follow?.onEvent(id, event),
    onReconnected: (id) => follow?.onReconnected(id),
  });
  const runtimeOf = runtimes.get;
  const architectureOf = async (id: string): Promise<string> => (await runtimes.info(id)).architecture;

  const presence = createImagePresence(runtimeOf);
  const bases = createBaseImages({
    makeLabels,
    newId,
    architectureOf,
    checkBeforePull,
    bootstrap: (request) => bootstrapDebian({ ...request, cacheFolder: join(dataFolder, 'cache') }),
  });
  const builds = createBuilds({
    store: registry.builds,
    streams,
    presence,
    bases,
    runtimeOf,
    architectureOf,
    makeLabels,
    newId,
    clock,
    emit: (build) => {
      bus.emit('build.changed', build);
      if (build.status !== 'running') views.tell(build.environment_id);
    },
  });
  const pins = createPins({
    pins: registry.pins,
    builds: registry.builds,
    presence,
    newId,
    clock,
    emit: (pin) => bus.emit('pin.changed', pin),
  });
  const views = createEnvironmentViews({ registry, presence, builds, pins, bus });
  const defaultBase = createDefaultBase({ bases, runtimeOf, clock });
  const sessions = createSessions({
    sessionStore: registry.sessions,
    runtimeOf,
    streams,
    makeLabels,
    newId,
    clock,
    emit: {
      session: (session) => bus.emit('session.changed', session),
      terminal: (terminal) => bus.emit('terminal.changed', terminal),
      exec: (exec) => bus.emit('exec.changed', exec),
      sessionRemoved: (id) => bus.emit('session.removed', { id }),
    },
  });
  const setupRuns = createSetupRuns({
    store: registry.setupRuns,
    runtimeOf,
    streams,
    makeLabels,
    newId,
    clock,
    emit: (run) => {
      bus.emit('setup_run.changed', run);
      views.tell(run.environment_id);
    },
    planFor: async (environment, signal, onLine) => {
      const image = activeOrDefault(await views.of(environment));
      const { runtime } = environment;
      return {
        runtimeId: runtime,
        imageId: image.imageId ?? (await defaultBase(runtime, signal, onLine)),
        ...resolveResources(environment.resources, await runtimes.info(runtime)),
      };
    },
  });

  const house: House = {
    dataFolder,
    version,
    homeId,
    clock,
    newId,
    makeLabels,
    bus,
    registry,
    runtimes,
    streams,
    presence,
    bases,
    builds,
    pins,
    sessions,
    setupRuns,
    env,
  };
  follow = followRuntime(house, views);
  await recoverAll(house);

  return {
    events: bus,
    handlers: {
      ...createAppCalls(house, views, (stopSessions) => options.onShutdown?.(stopSessions)),
      ...createEnvironmentCalls(house, views),
      ...createBuildCalls(house, views),
      ...createSetupCalls(house, views),
      ...createSessionCalls(house, views, defaultBase),
    },
    isBusy: async () => {
      const [running, unfinished, all] = await Promise.all([
        registry.builds.listUnfinished(),
        registry.setupRuns.listUnfinished(),
        registry.sessions.list(),
      ]);
      return running.length > 0 || unfinished.length > 0 || all.some((one) => one.status === 'starting');
    },
    close: async ({ stopSessions } = {}) => {
      await builds.close();
      await setupRuns.close();
      await sessions.close({ stop: stopSessions ?? false });
      await runtimes.close();
      await streams.close();
      await registry.close();
    },
  };
};
