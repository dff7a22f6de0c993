// Puts things right: at the start of a host, and whenever a runtime comes back after a gap. Everything is found again by its labels.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeEvent } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { EnvironmentViews } from './environment-views.ts';
import type { House } from './house.ts';
import { keepGatesReady } from './keep-gates.ts';

/** Whether the registry knows all that this data folder ever made. One that was begun anew after damage does not, and what it does not
 * know may come back with a backup: nothing is removed for being unknown while damaged files are kept aside. */
export const isRegistryWhole = ({ registry, dataFolder }: Pick<House, 'registry' | 'dataFolder'>): boolean =>
  registry.state().status === 'ok' && !existsSync(join(dataFolder, 'kept-aside'));

/** Removes streams that nothing points at, as a crash leaves them. */
const removeUnknownStreams = async (house: House): Promise<void> => {
  if (!isRegistryWhole(house)) return;
  const { registry, streams } = house;
  const known = await registry.streamIds();
  for (const id of await streams.list()) if (!known.has(id)) await streams.remove(id);
};

/** Brings every session into the state that its container is in, on the runtimes that answer. */
export const recoverSessions = async ({ sessions, runtimes }: House): Promise<void> => {
  const connected = runtimes.list().filter((probe) => probe.status === 'connected');
  await sessions.recover(connected.map((probe) => probe.id));
};

/** Ends what an earlier host left unfinished, and finds the sessions that still live. */
export const recoverAll = async (house: House): Promise<void> => {
  await removeUnknownStreams(house);
  await house.builds.recover();
  await house.setupRuns.recover();
  await recoverSessions(house);
  await keepGatesReady(house);
};

/** Images go in heaps, each with all its layers: one look for what went within a moment. */
const gatherMs = 300;

/** Environments with a pin look again whether their image is there. */
const tellPinned = (house: House, views: EnvironmentViews): void => {
  house.registry.pins.pinnedEnvironmentIds().then(
    (ids) => ids.forEach(views.tell),
    () => undefined,
  );
};

const tellDied = ({ sessions }: House, { id, labels }: RuntimeEvent): void => {
  const session = labels[labelKeys.session];
  if (labels[labelKeys.role] !== 'gate') sessions.containerDied(id);
  else if (session !== undefined) sessions.gateDied(session);
};

export interface RuntimeFollower {
  onEvent: (runtimeId: string, event: RuntimeEvent) => void;
  /** After a gap: what happened in it was not seen. */
  onReconnected: (runtimeId: string) => void;
}

/** Keeps images and sessions true to what happens in a runtime outside Sandlot. */
export const followRuntime = (house: House, views: EnvironmentViews): RuntimeFollower => {
  let isGathering = false;
  const tellPinnedSoon = (): void => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      tellPinned(house, views);
    }, gatherMs).unref();
  };
  return {
    onEvent: (runtimeId: string, event: RuntimeEvent): void => {
      house.presence.onRuntimeEvent(runtimeId, event);
      if (event.type === 'container' && /^(die|died|destroy|remove|oom)$/.test(event.action)) tellDied(house, event);
      if (event.type === 'image' && /delete|remove|prune/.test(event.action)) tellPinnedSoon();
    },
    onReconnected: (runtimeId: string): void => {
      house.presence.forget(runtimeId);
      house.sessions
        .runtimeReconnected(runtimeId)
        .catch((thrown: unknown) =>
          house.bus.emit('notice', { level: 'warning', message: thrown instanceof Error ? thrown.message : String(thrown) }),
        );
      tellPinned(house, views);
    },
  };
};
