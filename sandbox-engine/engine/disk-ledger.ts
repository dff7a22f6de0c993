// What Sandlot has on disk, by environment and in all: images with shared layers counted once, workspaces, what sandboxes wrote beside them,
// logs. Measured when somebody asks for it and after sessions have stopped, never while anybody waits for something else.
// Source: SPEC.md 12 (disk ledger).
import { join } from 'node:path';
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import type { DiskUse } from '../container/container-usage.ts';
import { labelKeys } from '../container/labels.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { AppEvent } from '../contract/events.ts';
import type { Session } from '../contract/model.ts';
import { type CountedImage, countLayers, type OwnerBytes, preparedBytes } from './disk-layers.ts';
import { freeBytes } from './disk-room.ts';
import { allEnvironments, ownersOf, type Subject, streamsOf, subjectsOf } from './disk-subjects.ts';
import { folderSize } from './folder-size.ts';
import type { House } from './house.ts';

type Usage = CallOutput<'disk.usage'>;
type Measurement = Omit<Usage, 'is_current'>;

export interface DiskLedger {
  /** Those who ask meanwhile get the one that is under way. */
  measure: () => Promise<Usage>;
  last: () => Promise<Usage>;
}

const measureMs = 120_000;
const gib = 1024 ** 3;
const none: OwnerBytes = { own: 0, shared: 0 };

const nothing: Measurement = {
  measured_at: null,
  runtimes: [],
  environments: [],
  host: { registry_bytes: 0, streams_bytes: 0, cache_bytes: 0, logs_bytes: 0 },
};

interface Measured {
  runtimeId: string;
  total: number;
  images: Map<string, OwnerBytes>;
  prepared: Map<string, number>;
  use: DiskUse;
  containersOf: Map<string, number>;
  free: number | null;
}

/** What sessions run on: a base may have been made by another Sandlot on this machine. */
const imagesInUse = async ({ sessions }: House, runtime: ContainerRuntime): Promise<ImageDetails[]> => {
  const ids = (await sessions.list())
    .filter(({ runtime: at, status }) => at === runtime.id && status !== 'ended')
    .map(({ image_id }) => image_id);
  const known = [...new Set(ids)].filter((id) => id !== null);
  const found = await Promise.all(known.map((id) => runtime.inspectImage(id)));
  return found.filter((image) => image !== null);
};

const measureRuntime = async (house: House, runtimeId: string, owners: Map<string, Set<string>>): Promise<Measured> => {
  const runtime = house.runtimes.get(runtimeId);
  const ours = { [labelKeys.managed]: 'true', [labelKeys.home]: house.homeId };
  const [built, used, containers, use, free] = await Promise.all([
    runtime.listImages(ours),
    imagesInUse(house, runtime),
    runtime.listContainers(ours),
    runtime.readDiskUse(AbortSignal.timeout(measureMs)),
    freeBytes(house, runtimeId),
  ]);
  const counted: (CountedImage & { isPrepared: boolean })[] = [];
  const images = new Map([...used, ...built].map((image) => [image.id, image]));
  for (const { id, labels, layers } of images.values()) {
    const isPrepared = labels[labelKeys.role] === 'prepared';
    counted.push({ id, owners: [...(owners.get(id) ?? [])], layers, steps: await runtime.imageSteps(id), isPrepared });
  }
  const written = new Map(use.containers.map(({ id, bytes }) => [id, bytes]));
  const all = countLayers(counted);
  return {
    ...{ runtimeId, total: all.total, images: all.owners, prepared: preparedBytes(counted), use, free },
    containersOf: new Map(containers.map(({ id }) => [id, written.get(id) ?? 0])),
  };
};

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

const workspaceOf = (measured: Measured | undefined, { volume }: Session): number | null =>
  measured?.use.volumes.find(({ name }) => name === volume)?.bytes ?? null;

const environmentRow = async (
  house: House,
  { id, name, runtime, disk_gib, is_deleted }: Subject,
  measured: readonly Measured[],
): Promise<Usage['environments'][number]> => {
  const sessions = await house.sessions.list(id);
  const there = measured.find(({ runtimeId }) => runtimeId === runtime);
  const prepared = there?.prepared.get(id) ?? 0;
  const rows = sessions
    .filter(({ status }) => status !== 'ended')
    .map((session) => {
      const bytes = workspaceOf(
        measured.find(({ runtimeId }) => runtimeId === session.runtime),
        session,
      );
      const is_over = disk_gib !== null && bytes !== null && bytes > disk_gib * gib;
      return { session_id: session.id, name: session.name, workspace_bytes: bytes, is_over };
    });
  return {
    environment_id: id,
    ...{ name, is_deleted },
    images_bytes: Math.max(0, (there?.images.get(id) ?? none).own - prepared),
    prepared_bytes: prepared,
    shared_bytes: (there?.images.get(id) ?? none).shared,
    workspaces_bytes: sum(rows.map(({ workspace_bytes }) => workspace_bytes ?? 0)),
    containers_bytes: sum(sessions.map(({ container_id }) => there?.containersOf.get(container_id ?? '') ?? 0)),
    streams_bytes: await streamsOf(house, id, sessions),
    disk_gib,
    sessions: rows,
  };
};

const runtimeRow = ({ runtimeId, total, use, containersOf, free }: Measured, volumes: ReadonlySet<string>): Usage['runtimes'][number] => ({
  runtime: runtimeId,
  free_bytes: free,
  images_bytes: total,
  workspaces_bytes: sum(use.volumes.filter(({ name }) => volumes.has(name)).map(({ bytes }) => bytes ?? 0)),
  containers_bytes: sum(containersOf.values()),
  build_cache_bytes: use.buildCacheBytes,
});

type EnvironmentRow = Usage['environments'][number];

/** Writes a size down where it is shown, and says once when it is larger than it was meant to be. */
const tellSession = async (
  house: House,
  { session_id, workspace_bytes, name, is_over }: EnvironmentRow['sessions'][number],
  diskGib: number | null,
): Promise<void> => {
  if (workspace_bytes === null) return;
  const { workspace_bytes: before } = await house.sessions.get(session_id);
  if (before !== workspace_bytes) await house.sessions.measured(session_id, workspace_bytes);
  const wasOver = diskGib !== null && (before ?? 0) > diskGib * gib;
  if (!is_over || wasOver) return;
  const message = `The workspace of "${name}" is larger than the ${diskGib} GiB that its environment says. The runtime does not limit it.`;
  house.bus.emit('notice', { level: 'warning', message });
};

const tellSessions = async (house: House, rows: readonly EnvironmentRow[]): Promise<void> => {
  for (const { sessions, disk_gib } of rows) for (const session of sessions) await tellSession(house, session, disk_gib);
};

const measureAll = async (house: House): Promise<Measurement> => {
  const environments = await allEnvironments(house);
  const owners = await ownersOf(house, environments);
  const connected = house.runtimes.list().filter(({ status }) => status === 'connected');
  const measured = await Promise.all(connected.map(({ id }) => measureRuntime(house, id, owners)));
  const sessions = await house.sessions.list();
  const volumes = new Set(sessions.map(({ volume }) => volume));
  const rows = [];
  for (const subject of subjectsOf(environments, sessions)) rows.push(await environmentRow(house, subject, measured));
  await tellSessions(house, rows);
  const size = (...names: string[]) => Promise.all(names.map((name) => folderSize(join(house.dataFolder, name)))).then(sum);
  return {
    measured_at: house.clock.iso(),
    runtimes: measured.map((one) => runtimeRow(one, volumes)),
    environments: rows,
    host: {
      registry_bytes: await size('registry.db', 'registry.db-wal', 'registry.db-shm', 'backups', 'kept-aside'),
      streams_bytes: await size('streams'),
      cache_bytes: await size('cache'),
      logs_bytes: await size('host.log', 'host.log.1'),
    },
  };
};

/** As it was measured, without what is deleted since. */
const still = async (house: House, usage: Measurement): Promise<Measurement> => {
  if (usage.measured_at === null) return usage;
  const subjects = subjectsOf(await allEnvironments(house), await house.sessions.list());
  const names = new Map(subjects.map((subject) => [subject.id, subject]));
  return {
    ...usage,
    environments: usage.environments.flatMap((row) => {
      const now = names.get(row.environment_id);
      return now === undefined ? [] : [{ ...row, name: now.name, is_deleted: now.is_deleted }];
    }),
  };
};

/** Whether there is something else on disk after this event: an image that was made, or a thing that is gone. */
const changesDisk = (event: AppEvent): boolean => {
  if (event.name === 'build.changed') return event.payload.finished_at !== null;
  if (event.name === 'setup_run.changed') return event.payload.finished_at !== null || event.payload.prepared_image_id !== null;
  return event.name === 'build.removed' || event.name === 'session.removed' || event.name === 'environment.removed';
};

/** Makes the ledger of one host. */
export const createDiskLedger = (house: House): DiskLedger => {
  let [known, changes, countedChanges] = [nothing, 0, 0];
  let underway: Promise<Usage> | null = null;
  house.bus.subscribe((event) => {
    if (changesDisk(event)) changes += 1;
  });
  const measure = async (): Promise<Usage> => {
    const before = changes;
    known = await measureAll(house);
    countedChanges = before;
    return { ...known, is_current: changes === before };
  };
  return {
    last: async () => ({ ...(await still(house, known)), is_current: known.measured_at !== null && changes === countedChanges }),
    measure: () => {
      underway ??= measure().finally(() => {
        underway = null;
      });
      return underway;
    },
  };
};
