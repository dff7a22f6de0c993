// Reads a folder of this machine into a tar stream, as it is. What is hostile in it stays a name or a few bytes: links are packed as links,
// devices, pipes and sockets are left out, a folder that becomes a link meanwhile leads nowhere, and no git is asked. It waits for the disk:
// work for a thread of its own.
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './gitignore.ts';
import type { Owner, TarEntry } from './tar-header.ts';
import { createTarSheets, type TarSheets } from './tar-sheets.ts';

/** What goes along, as it is told to the thread. */
export interface PackRequest {
  from: string;
  /** Before each name in the archive. */
  prefix: string;
  /** The folders that the prefix names are in the archive, too. */
  hasPrefixFolders: boolean;
  /** Whom all in the archive belongs to. */
  owner: Owner;
  /** Leaves out what the folder's ignore files say. */
  leaveIgnored: boolean;
  /** Of a git folder, what commits are made of, and large files (LFS): no hooks, no configuration, nothing that leads elsewhere. */
  only: 'all' | 'commits' | 'commits and large files';
}

export interface Packed {
  files: number;
  bytes: number;
  /** What could not be read, or is no file, folder or link. */
  leftOut: string[];
}

interface Reading {
  request: PackRequest;
  sheets: TarSheets;
  packed: Packed;
}

interface Folder {
  /** Where its entries are opened: by its descriptor where the system has such paths, so that nobody turns them elsewhere meanwhile. */
  at: string;
  /** Its path below the top, with a slash at its end; empty for the top. */
  below: string;
  ignored: readonly IgnoreRules[];
}

const ignoreFileBytes = 1_048_576;
/** Where the system has paths of open folders; asked once, not for each. */
const descriptors = existsSync('/proc/self/fd') ? '/proc/self/fd' : null;
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** Never waits for a pipe, and follows no link that took the place of a file meanwhile. */
const fileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

const orNull = <T>(attempt: () => T): T | null => {
  try {
    return attempt();
  } catch {
    return null;
  }
};

/** Null where it cannot be opened, or `use` says so. */
const using = <T>(path: string, flags: number, use: (file: number) => T | null): T | null => {
  const file = orNull(() => openSync(path, flags));
  if (file === null) return null;
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
};

const isOfCommits = (path: string, hasLarge: boolean): boolean => {
  if (/^objects\/info\/(?:http-)?alternates$|^objects\/(?:.*\/)?tmp_/.test(path)) return false;
  return /^(?:HEAD|packed-refs|shallow|objects|refs)(?:\/|$)/.test(path) || (hasLarge && /^lfs(?:$|\/objects(?:\/|$))/.test(path));
};

const goesAlong = ({ only }: PackRequest, rules: readonly IgnoreRules[], path: string, isFolder: boolean): boolean => {
  if (only !== 'all' && !isOfCommits(path, only === 'commits and large files')) return false;
  return rules.length === 0 || path === '.git' || path.startsWith('.git/') || !isIgnored(rules, path, isFolder);
};

const readIgnoreFile = (file: number): string | null => {
  const found = fstatSync(file);
  if (!found.isFile()) return null;
  const bytes = Buffer.alloc(Math.min(found.size, ignoreFileBytes));
  return orNull(() => bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)));
};

const ignoreRulesIn = (path: string, folder: string): IgnoreRules[] => {
  const text = using(path, fileFlags, readIgnoreFile);
  return text === null ? [] : [readIgnoreRules(folder, text)];
};

const rulesOf = ({ request }: Reading, { at, below, ignored }: Folder): readonly IgnoreRules[] => {
  if (!request.leaveIgnored) return ignored;
  const ofRepository = below === '' ? ignoreRulesIn(`${at}/.git/info/exclude`, '') : [];
  return [...ignored, ...ofRepository, ...ignoreRulesIn(`${at}/.gitignore`, below)];
};

const seconds = (ms: number): number => Math.trunc(ms / 1000);

const plainEntry = (name: string): TarEntry => ({ name, kind: 'link', size: 0, mode: 0o644, modifiedAt: seconds(Date.now()), target: '' });

/** These answer how many bytes went along; null: it did not. */
const addFile = ({ sheets }: Reading, path: string, name: string): number | null =>
  using(path, fileFlags, (file) => {
    const { size, mode, mtimeMs } = fstatSync(file);
    const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
    return isFile ? sheets.addFile(file, { ...plainEntry(name), kind: 'file', size, mode, modifiedAt: seconds(mtimeMs) }) : null;
  });

const addLink = ({ sheets }: Reading, path: string, name: string): number | null => {
  const target = orNull(() => readlinkSync(path));
  if (target === null) return null;
  sheets.add({ ...plainEntry(name), target });
  return 0;
};

const addFolder = ({ sheets }: Reading, path: string, name: string): number | null => {
  const found = orNull(() => lstatSync(path));
  if (found?.isDirectory() !== true) return null;
  sheets.add({ ...plainEntry(`${name}/`), kind: 'folder', mode: found.mode | 0o700, modifiedAt: seconds(found.mtimeMs) });
  return 0;
};

const addEntry = (reading: Reading, path: string, name: string, found: Dirent): number | null => {
  if (found.isFile()) return addFile(reading, path, name);
  if (found.isSymbolicLink()) return addLink(reading, path, name);
  return found.isDirectory() ? addFolder(reading, path, name) : null;
};

const readEntries = (reading: Reading, folder: Folder, entries: readonly Dirent[]): void => {
  const { request, packed } = reading;
  const rules = rulesOf(reading, folder);
  for (const entry of entries) {
    const below = `${folder.below}${entry.name}`;
    const isFolder = entry.isDirectory();
    if (!goesAlong(request, rules, below, isFolder)) continue;
    const path = `${folder.at}/${entry.name}`;
    const bytes = addEntry(reading, path, `${request.prefix}${below}`, entry);
    if (bytes === null) {
      packed.leftOut.push(below);
      continue;
    }
    packed.files += 1;
    packed.bytes += bytes;
    if (isFolder) enterFolder(reading, path, `${below}/`, rules);
  }
};

/** One that may not be looked into, or is none any more, is told. */
const enterFolder = (reading: Reading, path: string, below: string, ignored: readonly IgnoreRules[]): void => {
  const isRead = using(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, (file) => {
    const at = descriptors === null ? path : `${descriptors}/${file}`;
    const entries = orNull(() => readdirSync(at, { withFileTypes: true }));
    if (entries !== null) readEntries(reading, { at, below, ignored }, entries);
    return entries === null ? null : true;
  });
  if (isRead === null) reading.packed.leftOut.push(below);
};

/** `a/b/`: `a/` and `a/b/`. Pure. */
const foldersOf = (prefix: string): string[] => [...prefix.matchAll(/\//g)].map(({ index }) => prefix.slice(0, index + 1));

/** Reads everything below the folder; `send` owns each sheet and hears how far it is. @throws when the folder itself cannot be read */
export const readFolder = (request: PackRequest, send: (sheet: Buffer, packed: Packed) => void): Packed => {
  const packed: Packed = { files: 0, bytes: 0, leftOut: [] };
  const sheets = createTarSheets(request.owner, (sheet) => send(sheet, packed));
  if (request.hasPrefixFolders)
    for (const folder of foldersOf(request.prefix)) sheets.add({ ...plainEntry(folder), kind: 'folder', mode: 0o755 });
  const top = { at: request.from, below: '', ignored: [] };
  readEntries({ request, sheets, packed }, top, readdirSync(request.from, { withFileTypes: true }));
  sheets.end();
  return packed;
};
