// Volumes, networks and the event stream of one daemon.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, RuntimeEvent } from './container-runtime.ts';
import type { DockerConnection } from './docker-connection.ts';
import { carriesLabels, labelFilters, orNull } from './docker-images.ts';
import { readJsonLines } from './json-lines.ts';

type StoreCalls = Pick<
  ContainerRuntime,
  'createVolume' | 'removeVolume' | 'listVolumes' | 'listNetworks' | 'createNetwork' | 'removeNetwork' | 'events'
>;

interface VolumeAnswer {
  Name: string;
  Labels?: Record<string, string> | null;
  CreatedAt?: string;
}

interface NetworkAnswer {
  Id: string;
  Name: string;
  Labels?: Record<string, string> | null;
}

interface EventAnswer {
  Type?: string;
  Action?: string;
  status?: string;
  id?: string;
  Actor?: { ID?: string; Attributes?: Record<string, string> | null };
}

const eventTypes = new Set(['container', 'image', 'volume', 'network']);

const eventOf = (answer: EventAnswer): RuntimeEvent => ({
  type: (eventTypes.has(answer.Type ?? '') ? answer.Type : 'other') as RuntimeEvent['type'],
  action: answer.Action ?? answer.status ?? '',
  id: answer.Actor?.ID ?? answer.id ?? '',
  labels: answer.Actor?.Attributes ?? {},
});

const followEvents = async (
  connection: DockerConnection,
  ...[onEvent, signal, onOpen]: Parameters<ContainerRuntime['events']>
): Promise<void> => {
  if (signal.aborted) return;
  try {
    const body = await connection.stream({ what: 'follow the events', method: 'GET', path: '/events', signal });
    // A cut is as quiet as a clean end: in both cases the caller connects again.
    body.on('error', () => undefined);
    onOpen?.();
    for await (const answer of readJsonLines<EventAnswer>(body)) onEvent(eventOf(answer));
  } catch (thrown) {
    if (
      signal.aborted ||
      (thrown instanceof Error && /aborted|ECONNRESET/.test(`${thrown.message} ${(thrown as NodeJS.ErrnoException).code}`))
    )
      return;
    throw thrown;
  }
};

/** The volume, network and event calls of the port. */
export const createStoreCalls = (connection: DockerConnection): StoreCalls => ({
  createVolume: async (name, labels) => {
    const body = { Name: name, Labels: labels };
    await connection.json({ what: `create volume ${name}`, method: 'POST', path: '/volumes/create', body });
  },
  removeVolume: async (name) => {
    await orNull(connection.json({ what: `remove volume ${name}`, method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}` }));
  },
  listVolumes: async (labels) => {
    const query = { filters: labelFilters(labels) };
    const answer = await connection.json<{ Volumes?: VolumeAnswer[] | null }>({
      what: 'list volumes',
      method: 'GET',
      path: '/volumes',
      query,
    });
    const ours = (answer.Volumes ?? []).filter((volume) => carriesLabels(volume.Labels, labels));
    return ours.map((volume) => ({
      name: volume.Name,
      labels: volume.Labels ?? {},
      createdAt: volume.CreatedAt ?? null,
    }));
  },
  listNetworks: async (labels) => {
    const query = { filters: labelFilters(labels) };
    const answer = await connection.json<NetworkAnswer[]>({ what: 'list networks', method: 'GET', path: '/networks', query });
    const ours = answer.filter((network) => carriesLabels(network.Labels, labels));
    return ours.map((network) => ({ id: network.Id, name: network.Name, labels: network.Labels ?? {} }));
  },
  createNetwork: async (name, labels) => {
    if ((await orNull(connection.json({ what: `look for network ${name}`, method: 'GET', path: `/networks/${name}` }))) !== null) return;
    const options = { 'com.docker.network.bridge.enable_icc': 'false' };
    const body = {
      Name: name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Labels: labels,
      ...(connection.isPodman ? {} : { Options: options }),
    };
    try {
      await connection.json({ what: `create network ${name}`, method: 'POST', path: '/networks/create', body });
    } catch (thrown) {
      // Somebody else was quicker.
      if (!(thrown instanceof SandlotError) || !/already exists|already used/i.test(thrown.message)) throw thrown;
    }
  },
  removeNetwork: async (id) => {
    await orNull(connection.json({ what: `remove network ${id}`, method: 'DELETE', path: `/networks/${id}` }));
  },
  events: (...request) => followEvents(connection, ...request),
});
