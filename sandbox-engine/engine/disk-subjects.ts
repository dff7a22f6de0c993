// Whose disk is counted: the environments with their images and their logs, and those that are deleted while sessions of theirs are not.
import { join } from 'node:path';
import type { Environment, Session } from '../contract/model.ts';
import { folderSize } from './folder-size.ts';
import type { House } from './house.ts';

const mostRows = 1_000;

/** An environment whose disk is counted. */
export interface Subject {
  id: string;
  name: string;
  runtime: string;
  disk_gib: number | null;
  is_deleted: boolean;
}

/** Which environments have which image, pinned, built or prepared. */
export const ownersOf = async ({ registry }: House, environments: readonly Environment[]): Promise<Map<string, Set<string>>> => {
  const owners = new Map<string, Set<string>>();
  const add = (image: string | null | undefined, id: string): void => {
    if (image) owners.set(image, (owners.get(image) ?? new Set()).add(id));
  };
  for (const { id } of environments) {
    const [pin, builds, runs] = await Promise.all([
      registry.pins.current(id),
      registry.builds.listByEnvironment(id, mostRows),
      registry.setupRuns.listByEnvironment(id, mostRows),
    ]);
    add(pin?.image_id, id);
    for (const { image_id } of builds) add(image_id, id);
    for (const { prepared_image_id } of runs) add(prepared_image_id, id);
  }
  return owners;
};

/** Bytes of all that its builds, runs, terminals and commands have printed. */
export const streamsOf = async ({ registry, dataFolder }: House, environmentId: string, sessions: readonly Session[]): Promise<number> => {
  const [builds, runs] = await Promise.all([
    registry.builds.listByEnvironment(environmentId, mostRows),
    registry.setupRuns.listByEnvironment(environmentId, mostRows),
  ]);
  const ids: (string | null)[] = [...builds, ...runs].map(({ stream_id }) => stream_id);
  for (const { id, start_script } of sessions) {
    const [terminals, execs] = await Promise.all([registry.sessions.listTerminals(id), registry.sessions.listExecs(id)]);
    ids.push(start_script.stream_id, ...terminals.map(({ stream_id }) => stream_id));
    ids.push(...execs.flatMap(({ stdout_stream_id, stderr_stream_id }) => [stdout_stream_id, stderr_stream_id]));
  }
  let bytes = 0;
  for (const id of ids) if (id !== null) bytes += await folderSize(join(dataFolder, 'streams', id));
  return bytes;
};

/** Archived ones, too. */
export const allEnvironments = async ({ registry }: House): Promise<Environment[]> => {
  const found: Environment[] = [];
  let cursor: string | null = null;
  do {
    const page = await registry.environments.list({ limit: 100, includeArchived: true, ...(cursor === null ? {} : { cursor }) });
    found.push(...page.environments);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
};

/** Those that are there, and those that are deleted while sessions of theirs are not. */
export const subjectsOf = (environments: readonly Environment[], sessions: readonly Session[]): Subject[] => {
  const known = new Set(environments.map(({ id }) => id));
  const gone = new Map(
    sessions
      .filter(({ environment_id, status }) => !known.has(environment_id) && status !== 'ended')
      .map(({ environment_id: id, environment_name, runtime }) => [
        id,
        { id, name: `${environment_name} (deleted)`, runtime, disk_gib: null, is_deleted: true },
      ]),
  );
  return [...environments.map(({ id, name, runtime, disk_gib }) => ({ id, name, runtime, disk_gib, is_deleted: false })), ...gone.values()];
};
