// Puts things right: at the start of a host, and whenever a runtime comes back after a gap. Everything is found again by its labels.
import type { RuntimeEvent } from '../container/container-runtime.ts';
import type { EnvironmentViews } from './environment-views.ts';
import type { House } from './house.ts';

/** Removes streams that nothing points at, as a crash leaves them. Only while the registry is whole: one that was begun anew knows none. */
const removeUnknownStreams = async ({ registry, streams }: House): Promise<void> => {
  if (registry.state().status !== 'ok') return;
  const known = await registry.streamIds();
  for (const id of await streams.list()) if (!known.has(id)) await streams.remove(id);
};

/** Ends what an earlier host left unfinished, and finds the sessions that still live. */
export const recoverAll = async (house: House): Promise<void> => {
  const { builds, setupRuns, sessions, runtimes } = house;
  await removeUnknownStreams(house);
  await builds.recover();
  await setupRuns.recover();
  const connected = runtimes.list().filter((probe) => probe.status === 'connected');
  await sessions.recover(connected.map((probe) => probe.id));
};

/** Environments with a pin look again whether their image is there. */
const tellPinned = (house: House, views: EnvironmentViews): void => {
  house.registry.pins.pinnedEnvironmentIds().then(
    (ids) => ids.forEach(views.tell),
    () => undefined,
  );
};

export interface RuntimeFollower {
  onEvent: (runtimeId: string, event: RuntimeEvent) => void;
  /** After a gap: what happened in it was not seen. */
  onReconnected: (runtimeId: string) => void;
}

/** Keeps images and sessions true to what happens in a runtime outside Sandlot. */
export const followRuntime = (house: House, views: EnvironmentViews): RuntimeFollower => ({
  onEvent: (runtimeId: string, event: RuntimeEvent): void => {
    house.presence.onRuntimeEvent(runtimeId, event);
    if (event.type === 'container' && /^(die|died|destroy|remove|oom)$/.test(event.action)) house.sessions.containerDied(event.id);
    if (event.type === 'image' && /delete|remove|prune/.test(event.action)) tellPinned(house, views);
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
});
