// Opens every room, wires them to each other, and offers one handler a call. The only file that knows all of them.
import { join } from 'node:path';
import { systemClock } from './base/clock.ts';
import { createEventBus, type EventBus } from './base/event-bus.ts';
import { createHostCertificates } from './base/host-certificates.ts';
import { createIds } from './base/ids.ts';
import { processIdentity } from './base/process-identity.ts';
import { bootstrapDebian } from './container/bootstrap.ts';
import { createLabels } from './container/labels.ts';
import { createRuntimes } from './container/runtimes.ts';
import type { Build } from './contract/model.ts';
import type { PolicyProxyOptions } from './egress/policy-proxy.ts';
import { openActivity } from './engine/activity.ts';
import { closeHouse } from './engine/close-house.ts';
import { createDefaultBase, createPlainBase } from './engine/default-base.ts';
import { defaultRuntimeSetting } from './engine/default-runtime-setting.ts';
import { openEgressDesk } from './engine/egress-desk.ts';
import { createEnvironmentViews } from './engine/environment-views.ts';
import { createHandlers } from './engine/handlers.ts';
import { readHomeId } from './engine/home-id.ts';
import type { Ground, Handlers, ImageRooms } from './engine/house.ts';
import { isBusy } from './engine/is-busy.ts';
import { keepLifetimes } from './engine/keep-lifetimes.ts';
import { keepWarm } from './engine/keep-warm.ts';
import type { PlanRooms } from './engine/launch-plan.ts';
import { createLiveSessions } from './engine/live-sessions.ts';
import { maskNotices } from './engine/mask-notices.ts';
import { openPresets } from './engine/open-presets.ts';
import { openSecrets } from './engine/open-secrets.ts';
import { openSessions } from './engine/open-sessions.ts';
import { recipePresets } from './engine/recipe-presets.ts';
import { followRuntime, type RuntimeFollower, recoverAll } from './engine/recover.ts';
import { createSandboxNetworks } from './engine/sandbox-networks.ts';
import type { SecretKeeper } from './engine/secret-keeper.ts';
import { createSetupPlan } from './engine/setup-plan.ts';
import { createBaseImages } from './image/base-image.ts';
import { createBuilds } from './image/build-image.ts';
import { createImagePresence } from './image/image-presence.ts';
import { createPins } from './image/pin.ts';
import { checkBeforePull } from './image/registry-manifest.ts';
import { createSecretGate } from './image/secret-gate.ts';
import { openRegistry } from './registry/open-registry.ts';
import type { KeyProtector } from './secrets/vault-key.ts';
import { createSetupRuns } from './setup/run-setup.ts';
import { createStreamStore } from './stream/stream-store.ts';

export interface EngineOptions {
  /** Absolute; made when it is missing, readable by its owner only. */
  dataFolder: string;
  /** Where short-lived sockets go. */
  runFolder: string;
  env: NodeJS.ProcessEnv;
  version: string;
  /** What one types to call the command line; default `sandlot`. */
  commandLine?: string;
  /** Wraps the key to the secrets; without one it stands in a file for its owner only. */
  keyProtector?: KeyProtector;
  /** The network beyond the policy proxy, in the place of the real one. */
  upstream?: PolicyProxyOptions['upstream'];
  /** Called by `app.shutdown`. */
  onShutdown?: (stopSessions: boolean) => void;
}

export interface Engine {
  handlers: Handlers;
  events: EventBus;
  /** Masks the secrets in a text that leaves the engine by another way than a stream: an error, a line of a log. */
  redactText: (text: string) => string;
  /** Whether anything is at work that a quiet host must wait for: a build, a setup run, a terminal, a session that starts. */
  isBusy: () => Promise<boolean>;
  close: (options?: { stopSessions?: boolean }) => Promise<void>;
}

const openStreams = (dataFolder: string, bus: EventBus, { redactor }: SecretKeeper) =>
  createStreamStore({
    folder: join(dataFolder, 'streams'),
    redactor,
    onGrew: ({ streamId, size, ended, from, chunk }) =>
      bus.emit('stream.grew', {
        stream_id: streamId,
        size,
        ended,
        ...(from === undefined || chunk === undefined ? {} : { from, chunk: chunk.toString('base64') }),
      }),
  });

/** What all rooms stand on. The runtimes tell of events before the rooms that listen exist: `follower` is set once all is wired. */
const openGround = async (options: EngineOptions, follower: { now: RuntimeFollower | null }): Promise<Ground> => {
  const { dataFolder, runFolder, env, version, commandLine = 'sandlot' } = options;
  const clock = systemClock;
  const homeId = await readHomeId(dataFolder);
  const registry = await openRegistry({ folder: dataFolder, clock });
  const secrets = await openSecrets(options, registry);
  const bus = maskNotices(createEventBus(), secrets.redactText);
  const runtimes = await createRuntimes({
    env,
    runFolder,
    preferred: await registry.setting(defaultRuntimeSetting),
    onChange: (list) => bus.emit('runtimes.changed', { runtimes: list }),
    onEvent: (id, event) => follower.now?.onEvent(id, event),
    onReconnected: (id) => follower.now?.onReconnected(id),
  });
  const newId = createIds(clock.now);
  const makeLabels = createLabels(homeId, await processIdentity());
  return {
    dataFolder,
    ...{ version, commandLine },
    env,
    homeId,
    clock,
    bus,
    registry,
    runtimes,
    newId,
    makeLabels,
    secrets,
    presets: openPresets({ registry, clock, newId, makeLabels, runtimeOf: runtimes.get, env }),
    streams: openStreams(dataFolder, bus, secrets),
    runtimeOf: runtimes.get,
    architectureOf: async (id) => (await runtimes.info(id)).architecture,
  };
};

const openImages = (ground: Ground): ImageRooms => {
  const { bus, registry, newId, clock, dataFolder } = ground;
  const presence = createImagePresence(ground.runtimeOf);
  const bases = createBaseImages({
    ...ground,
    checkBeforePull,
    authorities: createHostCertificates(ground.env),
    bootstrap: (request) => bootstrapDebian({ ...request, cacheFolder: join(dataFolder, 'cache') }),
  });
  const { redactText } = ground.secrets;
  const emit = (build: Build) => bus.emit('build.changed', build);
  const builds = createBuilds({ ...ground, store: registry.builds, presence, bases, redactText, emit });
  const pins = createPins({
    pins: registry.pins,
    builds: registry.builds,
    presence,
    secretGate: createSecretGate({ ...ground, ...ground.secrets }),
    newId,
    clock,
    emit: (pin) => bus.emit('pin.changed', pin),
  });
  return { presence, bases, builds, pins };
};

/** Puts sandboxes on the ground: their networks, what runs in them, and what is seen of it. */
const openHouse = async (options: EngineOptions, ground: Ground): Promise<PlanRooms> => {
  const images = openImages(ground);
  const egress = openEgressDesk(ground, options.upstream);
  const views = createEnvironmentViews({ ...ground, ...images });
  const defaultBase = createDefaultBase({ ...ground, ...images });
  const networks = createSandboxNetworks({
    ...ground,
    presets: recipePresets(ground, views, defaultBase),
    runFolder: options.runFolder,
    baseFor: createPlainBase({ ...ground, ...images }),
    policies: egress.policies,
    canaries: egress.canaries,
  });
  const setupRuns = createSetupRuns({
    ...ground,
    networks,
    store: ground.registry.setupRuns,
    emit: (run) => ground.bus.emit('setup_run.changed', run),
    redactor: ground.secrets.redactor,
    attempts: egress.book,
    planFor: createSetupPlan(ground, images, views, defaultBase),
    keyFor: views.keyOf,
  });
  const sessions = await openSessions(ground, networks);
  const activity = openActivity(ground, { sessions, egress, runFolder: options.runFolder });
  return { house: { ...ground, ...images, egress, networks, setupRuns, sessions, activity }, views, defaultBase };
};

/** Opens the data folder and the runtimes. @throws registry_locked when another process holds the registry */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const follower: { now: RuntimeFollower | null } = { now: null };
  const rooms = await openHouse(options, await openGround(options, follower));
  const { house, views } = rooms;
  views.follow();
  follower.now = followRuntime(house, views);
  const live = createLiveSessions(rooms);
  live.follow();
  await live.catchUp();
  await recoverAll(house);
  house.activity.begin();
  const endLifetimes = keepLifetimes(house);
  const warm = keepWarm(rooms);
  await house.secrets.forgetUnneeded().catch(() => undefined);
  return {
    events: house.bus,
    redactText: house.secrets.redactText,
    handlers: createHandlers(rooms, live, options.onShutdown),
    isBusy: () => isBusy(house),
    close: async ({ stopSessions } = {}) => {
      await closeHouse({ ...house, keepers: { lifetimes: endLifetimes, 'warm sandboxes': warm.stop } }, stopSessions ?? false);
    },
  };
};
