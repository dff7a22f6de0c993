// Unpacks a tar stream that a sandbox made, below one folder of this machine. Whoever is root in the sandbox wrote it: no name leads out of the
// folder, nothing is written through a link, links that lead out are left away, and so are devices, pipes and rights beyond the usual.
import { constants } from 'node:fs';
import { lstat, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { createRoom } from './keep-room.ts';

export interface Unpacked {
  files: number;
  /** Names that were not unpacked. */
  skipped: string[];
}

const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The path below the target, without the folder that everything is in; null when it leads anywhere else. Pure. */
export const safePath = (name: string): string | null => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isBad = (part: string): boolean => part === '..' || part.includes('\u0000') || (sep === '\\' && /[\\:]/.test(part));
  return parts.some(isBad) ? null : parts.slice(1).join('/');
};

/** Whether a link at this path leads to something below the same folder. Upwards only at its beginning: behind a name, which may be a link
 *  itself, it would lead up from wherever that leads. Pure. */
export const staysInside = (path: string, target: string): boolean => {
  if (target === '' || target.startsWith('/') || target.includes('\u0000') || (sep === '\\' && /[\\:]/.test(target))) return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.some((part, at) => part === '..' && at > 0 && parts[at - 1] !== '..')) return false;
  const end = posix.normalize(posix.join(posix.dirname(path), target));
  return end !== '..' && !end.startsWith('../');
};

const isRealFolder = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null))?.isDirectory() === true;

/** Makes the folders down to the path, one by one; false when something else is in the way. */
const createFolders = (into: string) => {
  const made = new Set<string>(['.']);
  const make = async (below: string): Promise<boolean> => {
    if (made.has(below)) return true;
    if (!(await make(posix.dirname(below)))) return false;
    const path = join(into, below);
    await mkdir(path).catch(() => undefined);
    if (!(await isRealFolder(path))) return false;
    made.add(below);
    return true;
  };
  return make;
};

const writeFile = async (
  path: string,
  mode: number,
  source: AsyncIterable<Buffer>,
  room: (bytes: number) => Promise<void>,
): Promise<void> => {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isDirectory()) await rm(path);
  const file = await open(path, writeFlags, (mode & 0o111) === 0 ? 0o644 : 0o755);
  try {
    for await (const bytes of source) {
      await file.writeFile(bytes);
      await room(bytes.length);
    }
  } finally {
    await file.close();
  }
};

/** Whether the way to what a link leads to goes through another link, of the archive or already there. */
const goesThroughLink = async (into: string, path: string, target: string, links: ReadonlySet<string>): Promise<boolean> => {
  const end = posix.join(posix.dirname(path), target);
  for (let above = posix.dirname(end); above !== '.'; above = posix.dirname(above)) {
    if (links.has(above) || (await lstat(join(into, above)).catch(() => null))?.isSymbolicLink() === true) return true;
  }
  return false;
};

const makeLink = async (into: string, path: string, target: string, links: ReadonlySet<string>): Promise<boolean> => {
  if (!staysInside(path, target) || (await goesThroughLink(into, path, target, links))) return false;
  if (!(await isRealFolder(dirname(join(into, path))))) return false;
  const found = await lstat(join(into, path)).catch(() => null);
  if (found?.isDirectory() === true) return false;
  if (found !== null) await rm(join(into, path));
  return await symlink(target, join(into, path)).then(
    () => true,
    () => false,
  );
};

type Entry = AsyncIterable<unknown> & {
  header: { name: string; type?: string | null | undefined; mode?: number | undefined; linkname?: string | null | undefined };
};

interface Unpacking {
  into: string;
  folder: (below: string) => Promise<boolean>;
  room: (bytes: number) => Promise<void>;
  links: [path: string, target: string][];
  done: Unpacked;
}

/** Unpacks one entry; false when it is not wanted. */
const unpackEntry = async ({ into, folder, room, links, done }: Unpacking, entry: Entry, path: string): Promise<boolean> => {
  const { type, mode, linkname } = entry.header;
  if (!(await folder(posix.dirname(path)))) return false;
  if (type === 'directory') return await folder(path);
  if (type === 'symlink') return links.push([path, linkname ?? '']) > 0;
  if (type !== 'file') return false;
  await writeFile(join(into, path), mode ?? 0, entry as AsyncIterable<Buffer>, room);
  done.files += 1;
  return true;
};

/** Unpacks what lies in the stream's one folder into `into`, which is made. */
export const unpackTar = async (source: AsyncIterable<Buffer>, into: string): Promise<Unpacked> => {
  await mkdir(into, { recursive: true });
  const unpacking: Unpacking = {
    ...{ into, folder: createFolders(into), room: createRoom(into) },
    ...{ links: [], done: { files: 0, skipped: [] } },
  };
  const { links, done } = unpacking;
  const archive = extract();
  const fed = Readable.from(source);
  fed.on('error', (thrown) => archive.destroy(thrown));
  fed.pipe(archive);
  for await (const entry of archive) {
    const path = safePath(entry.header.name);
    const isKept = path === '' || (path !== null && (await unpackEntry(unpacking, entry, path)));
    if (!isKept) done.skipped.push(entry.header.name);
    entry.resume();
  }
  // Last, so that nothing can be written through one.
  const linked = new Set(links.map(([path]) => path));
  for (const [path, target] of links) if (!(await makeLink(into, path, target, linked))) done.skipped.push(path);
  return done;
};
