// Reads a folder of this machine into a tar stream, as it is. What is hostile in it stays a name or a few bytes: links are packed as links,
// devices, pipes and sockets are left out, and no git is asked.
import { close, constants, createReadStream, type Dirent, fstat, open, read } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { type Pack, pack } from 'tar-stream';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './gitignore.ts';

export interface PackedFolder {
  /** In pieces of a size that travels well. Whoever opens it reads it to its end or destroys it. */
  tar: Readable;
  /** What was packed until now. */
  count: () => { files: number; bytes: number };
  /** What could not be read, or is no file, folder or link; known when the stream has ended. */
  leftOut: () => string[];
}

interface PackOptions {
  /** Leaves out what the folder's ignore files say. */
  leaveIgnored?: boolean;
  /** Whether a path below the folder goes along; folders that do not are not looked into. */
  takes?: (path: string, isFolder: boolean) => boolean;
  /** Before each name in the archive. */
  prefix?: string;
}

type Header = Parameters<Pack['entry']>[0];
/** `file`: the descriptor of one that is too large to be read at once; whoever takes it closes it. */
type Loaded = { header: Header; bytes?: Buffer; file?: number };

// By descriptors: a handle for each of thousands of small files costs more than reading them.
const [openFile, statFile, readFile, closeFile] = [promisify(open), promisify(fstat), promisify(read), promisify(close)];

const smallBytes = 262_144;
const aheadFiles = 24;
const pieceBytes = 262_144;
const ignoreFileBytes = 1_048_576;
/** Never waits for a pipe, and follows no link that took the place of a file meanwhile. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const loadFile = async (path: string, name: string): Promise<Loaded | null> => {
  const file = await openFile(path, readFlags);
  let isKept = false;
  try {
    const found = await statFile(file);
    if (!found.isFile()) return null;
    const header = { name, size: found.size, mode: found.mode & 0o777, mtime: found.mtime };
    if (found.size > smallBytes) {
      isKept = true;
      return { header, file };
    }
    const bytes = Buffer.allocUnsafe(found.size);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await readFile(file, bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { header: { ...header, size: filled }, bytes: bytes.subarray(0, filled) };
  } finally {
    if (!isKept) await closeFile(file);
  }
};

const load = async (path: string, name: string, entry: Dirent): Promise<Loaded | null> => {
  if (entry.isFile()) return await loadFile(path, name);
  if (entry.isSymbolicLink()) return { header: { name, type: 'symlink', linkname: await readlink(path) } };
  if (!entry.isDirectory()) return null;
  const { mode, mtime } = await lstat(path);
  return { header: { name: `${name}/`, type: 'directory', mode: (mode & 0o777) | 0o700, mtime } };
};

/** A large file, piece by piece: what grows meanwhile is cut at its size, what shrinks is filled with zeros. */
async function* piecesOf(file: number, size: number): AsyncGenerator<Buffer> {
  let left = size;
  if (size > 0) {
    for await (const piece of createReadStream('', { fd: file, start: 0, end: size - 1, autoClose: false, highWaterMark: pieceBytes })) {
      left -= (piece as Buffer).length;
      yield piece as Buffer;
    }
  }
  for (; left > 0; left -= Math.min(left, pieceBytes)) yield Buffer.alloc(Math.min(left, pieceBytes));
}

const add = async (archive: Pack, { header, bytes, file }: Loaded): Promise<void> => {
  if (file === undefined) {
    await new Promise<void>((resolve, reject) => archive.entry(header, bytes ?? '', (thrown) => (thrown ? reject(thrown) : resolve())));
    return;
  }
  try {
    await pipeline(piecesOf(file, header.size ?? 0), archive.entry(header));
  } finally {
    await closeFile(file);
  }
};

interface Walk {
  from: string;
  options: PackOptions;
  leftOut: string[];
}

interface Found {
  name: string;
  /** Resolves to null for what does not go along. */
  loaded: Promise<Loaded | null>;
}

const ignoreRulesIn = async (path: string, folder: string): Promise<IgnoreRules[]> => {
  const loaded = await loadFile(path, '').catch(() => null);
  if (loaded?.file !== undefined) await closeFile(loaded.file);
  const bytes = loaded?.bytes?.subarray(0, ignoreFileBytes);
  return bytes === undefined ? [] : [readIgnoreRules(folder, bytes.toString('utf8'))];
};

async function* walk(place: Walk, below: string, ignored: readonly IgnoreRules[]): AsyncGenerator<Found> {
  const { from, options, leftOut } = place;
  const entries = await readdir(join(from, below), { withFileTypes: true }).catch((thrown: unknown) => {
    if (below === '') throw thrown;
    leftOut.push(below);
    return [];
  });
  const own = options.leaveIgnored === true ? await ignoreRulesIn(join(from, below, '.gitignore'), below) : [];
  const rules = [...ignored, ...own];
  for (const entry of entries) {
    const name = `${below}${entry.name}`;
    const isFolder = entry.isDirectory();
    if (options.takes?.(name, isFolder) === false) continue;
    if (rules.length > 0 && !name.startsWith('.git/') && name !== '.git' && isIgnored(rules, name, isFolder)) continue;
    const loaded = load(join(from, name), `${options.prefix ?? ''}${name}`, entry);
    loaded.catch(() => undefined);
    yield { name, loaded };
    if (isFolder) yield* walk(place, `${name}/`, rules);
  }
}

/** Gathers small pieces: each that is sent costs a turn of its own. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    parts.push(piece);
    length += piece.length;
    if (length < pieceBytes) continue;
    yield Buffer.concat(parts, length);
    parts = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

const fill = async (archive: Pack, place: Walk, counted: { files: number; bytes: number }): Promise<void> => {
  const ahead: Found[] = [];
  const takeFirst = async (): Promise<void> => {
    const found = ahead.shift();
    if (found === undefined) return;
    const loaded = await found.loaded.catch(() => null);
    if (loaded === null) return void place.leftOut.push(found.name);
    await add(archive, loaded);
    counted.files += 1;
    counted.bytes += loaded.header.size ?? 0;
  };
  try {
    const info = place.options.leaveIgnored === true ? await ignoreRulesIn(join(place.from, '.git', 'info', 'exclude'), '') : [];
    for await (const found of walk(place, '', info)) {
      ahead.push(found);
      if (ahead.length >= aheadFiles) await takeFirst();
    }
    while (ahead.length > 0) await takeFirst();
    archive.finalize();
  } finally {
    for (const { loaded } of ahead)
      void loaded.then((one) => (one?.file === undefined ? undefined : closeFile(one.file))).catch(() => undefined);
  }
};

/** Packs everything below the folder. @throws from the stream when the folder itself cannot be read */
export const packFolder = (from: string, options: PackOptions = {}): PackedFolder => {
  const archive = pack();
  const place: Walk = { from, options, leftOut: [] };
  const counted = { files: 0, bytes: 0 };
  fill(archive, place, counted).catch((thrown: unknown) => archive.destroy(thrown as Error));
  return { tar: Readable.from(inPieces(archive as AsyncIterable<Buffer>)), count: () => counted, leftOut: () => place.leftOut };
};
