// The folders of this machine that an environment gives to its sessions, and which of them the person has agreed to. An agreement is
// to one path, used in one way, by one environment: whatever is changed has to be agreed to again.
// Source: SPEC.md 2 (mounts: "host paths need an explicit grant by the user").

import { SandlotError } from '../base/errors.ts';
import { repoFolder } from '../base/repo-folder.ts';
import type { Environment, HostFolder, ListedFolder } from '../contract/model.ts';
import { findEnvironment, type Handlers, type House } from './house.ts';

type Place = Pick<House, 'registry'>;
type FolderCalls = Pick<Handlers, 'environments.folders' | 'environments.agree_folders'>;

const settingOf = (environmentId: string): string => `agreed_folders:${environmentId}`;

const isSame = (one: HostFolder, other: HostFolder): boolean =>
  one.path === other.path && one.use === other.use && one.read_only === other.read_only;

/** What an environment would give of this machine. Pure. */
const foldersOf = ({ repo, mounts }: Pick<Environment, 'repo' | 'mounts'>): HostFolder[] => {
  const folder = repoFolder(repo);
  const copied: HostFolder[] = folder === null ? [] : [{ path: folder, use: 'repository', read_only: true }];
  const mounted = mounts.map(({ source, read_only }): HostFolder => ({ path: source, use: 'mount', read_only }));
  return [...copied, ...mounted].filter((folder, at, all) => all.findIndex((other) => isSame(other, folder)) === at);
};

const listFolders = async ({ registry }: Place, environment: Environment): Promise<ListedFolder[]> => {
  const folders = foldersOf(environment);
  if (folders.length === 0) return [];
  const agreed = JSON.parse((await registry.setting(settingOf(environment.id))) ?? '[]') as HostFolder[];
  return folders.map((folder) => ({ ...folder, is_agreed: agreed.some((one) => isSame(one, folder)) }));
};

/** Refuses while a folder waits for agreement. @throws folder_not_agreed */
export const assertFoldersAgreed = async (place: Place, environment: Environment): Promise<void> => {
  const folders = await listFolders(place, environment);
  const open = folders.filter(({ is_agreed }) => !is_agreed);
  if (open.length === 0) return;
  const named = open.map(({ path, use, read_only }) => `${path} (${use === 'repository' ? 'copied' : read_only ? 'read' : 'written'})`);
  throw new SandlotError(
    'folder_not_agreed',
    `"${environment.name}" gives its sessions of this machine: ${named.join(', ')}. That was not agreed to yet.`,
    { nextAction: `If that is right, agree to it: sandlot env folders ${environment.id} --agree`, details: { folders } },
  );
};

const agree = async (house: House, environmentId: string, folders: HostFolder[]): Promise<ListedFolder[]> => {
  const environment = await findEnvironment(house, environmentId);
  const offered = foldersOf(environment);
  const stranger = folders.find((folder) => !offered.some((one) => isSame(one, folder)));
  if (stranger !== undefined) {
    throw new SandlotError(
      'invalid_request',
      `"${environment.name}" does not name ${stranger.path} in this way, so nothing was agreed to.`,
      {
        nextAction: 'Look at its folders again; they may have been changed meanwhile.',
      },
    );
  }
  await house.registry.saveSetting(settingOf(environmentId), JSON.stringify(folders));
  return await listFolders(house, environment);
};

/** Makes the calls about folders. */
export const createFolderCalls = (house: House): FolderCalls => ({
  'environments.folders': async ({ environment_id }) => ({
    folders: await listFolders(house, await findEnvironment(house, environment_id)),
  }),
  'environments.agree_folders': async ({ environment_id, folders }) => ({ folders: await agree(house, environment_id, folders) }),
});
