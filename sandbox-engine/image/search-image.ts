// Looks for secrets in a saved image: its configuration, its history, and every file of every layer, also those that a later layer hides.
// Source: Docker image specification v1.2 (config, manifest.json, layer tars); OCI image layout (blobs/sha256).
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { SecretSearch } from '../stream/secret-search.ts';

/** A secret and where it stands, in words. */
export interface SecretPlace {
  secret: string;
  place: string;
}

interface Config {
  config?: Record<string, unknown> & { Env?: string[] | null; Labels?: Record<string, string> | null };
  history?: { created_by?: string; comment?: string }[];
  rootfs: { diff_ids: string[] };
}

/** What a saved image told, before it is known which of its layers is which. */
interface Read {
  config: Config | null;
  /** Names of the layers' entries, lowest first. */
  layers: string[];
  /** The first find of each layer, by name of its entry. */
  found: Map<string, SecretPlace>;
  /** Finds in other papers of the archive. */
  papers: SecretPlace[];
}

type Entry = ReturnType<typeof extract> extends AsyncIterable<infer One> ? One : never;

const largestPaper = 16_777_216;

const readAll = async (entry: AsyncIterable<unknown>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of entry) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** What of a file's header could hold a value: its name, where a link leads, its extended attributes. */
const wordsOf = ({ name, linkname, pax }: Header): Buffer => Buffer.from([name, linkname ?? '', ...Object.values(pax ?? {})].join('\0'));

/** Reads a file to its end, whatever is found: the archive cannot go on otherwise. */
const searchContents = async (file: Entry, search: SecretSearch): Promise<string | null> => {
  const look = search.openPieces();
  let found: string | null = null;
  for await (const piece of file) found ??= look(piece as Buffer);
  return found;
};

const searchFile = async (file: Entry, search: SecretSearch): Promise<SecretPlace | null> => {
  const path = `/${file.header.name.replace(/^\.?\//, '')}`;
  const inHeader = search.inBytes(wordsOf(file.header));
  const inside = await searchContents(file, search);
  if (inside !== null) return { secret: inside, place: `the file ${path}` };
  return inHeader === null ? null : { secret: inHeader, place: `the name of the file ${path}` };
};

const searchLayer = async (layer: Readable, search: SecretSearch): Promise<SecretPlace | null> => {
  const files = extract();
  // Neither stream may end the process when the other one breaks: the loop below throws then.
  layer.on('error', (broken) => files.destroy(broken));
  layer.pipe(files);
  let found: SecretPlace | null = null;
  for await (const file of files) {
    if (found === null) found = await searchFile(file, search);
    else file.resume();
  }
  return found;
};

const isLayer = ({ name }: Header, start: Buffer): boolean => /\.tar$/.test(name) || !/^\s*[[{]/.test(start.toString('latin1', 0, 64));

const unpacked = (layer: Readable, start: Buffer, name: string): Readable => {
  if (start[0] === 0x1f && start[1] === 0x8b) {
    const gunzip = createGunzip();
    layer.on('error', (broken) => gunzip.destroy(broken));
    return layer.pipe(gunzip);
  }
  if (start.length < 4 || start.readUInt32LE(0) !== 0xfd2fb528) return layer;
  throw new SandlotError(
    'runtime_error',
    `Layer ${name} of the image is compressed with zstd, which cannot be searched for secrets here.`,
    {
      nextAction: 'Use a base whose layers are plain or compressed with gzip.',
    },
  );
};

/** The first piece of an entry, and the whole of it with that piece in front. */
const peek = async (entry: Entry): Promise<{ start: Buffer; whole: Readable }> => {
  const pieces = entry[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await pieces.next();
  const all = async function* () {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
  };
  return { start: first.done === true ? Buffer.alloc(0) : first.value, whole: Readable.from(all()) };
};

const readPaper = (name: string, bytes: Buffer, search: SecretSearch, read: Read): void => {
  let paper: Partial<Config> & { Layers?: string[] }[];
  try {
    paper = JSON.parse(bytes.toString('utf8')) as typeof paper;
  } catch {
    paper = [];
  }
  if (name === 'manifest.json') read.layers = paper[0]?.Layers ?? [];
  else if (paper.rootfs !== undefined) read.config = paper as unknown as Config;
  const secret = search.inBytes(bytes);
  if (secret !== null) read.papers.push({ secret, place: 'its configuration' });
};

const readEntry = async (entry: Entry, search: SecretSearch, isSkipped: (name: string) => boolean, read: Read): Promise<void> => {
  const { name, size, type } = entry.header;
  if (type !== 'file' || (size ?? 0) < 4 || isSkipped(name)) return void entry.resume();
  const { start, whole } = await peek(entry);
  if (!isLayer(entry.header, start) && (size ?? 0) <= largestPaper) return readPaper(name, await readAll(whole), search, read);
  const found = await searchLayer(unpacked(whole, start, name), search);
  if (found !== null) read.found.set(name, found);
};

/** Where in the configuration: more than "somewhere in it". */
const placeInConfig = ({ config = {}, history = [] }: Config, search: SecretSearch): SecretPlace | null => {
  const places: [string, string][] = [
    ...(config.Env ?? []).map((line): [string, string] => [line, `the variable ${line.split('=')[0]}`]),
    ...Object.entries(config.Labels ?? {}).map(([key, value]): [string, string] => [`${key}=${value}`, `the label ${key}`]),
    ...history.map(({ created_by = '', comment = '' }, at): [string, string] => [
      `${created_by}\n${comment}`,
      `line ${at + 1} of its history`,
    ]),
  ];
  for (const [text, place] of places) {
    const secret = search.inBytes(Buffer.from(text));
    if (secret !== null) return { secret, place };
  }
  return null;
};

/** Answers the first secret that stands in the image, or null. `skip` are digests of layers that need no look. @throws runtime_error */
export const searchImage = async (saved: Readable, search: SecretSearch, skip: ReadonlySet<string>): Promise<SecretPlace | null> => {
  const read: Read = { config: null, layers: [], found: new Map(), papers: [] };
  // Some runtimes name a layer by its digest; others by another id, and only the manifest at the end tells which is which.
  const hexes = new Set([...skip].map((digest) => digest.replace('sha256:', '')));
  const isSkipped = (name: string): boolean => hexes.has(/([0-9a-f]{64})(?:\.tar)?$/.exec(name)?.[1] ?? '');
  const archive = extract();
  saved.on('error', (broken) => archive.destroy(broken));
  for await (const entry of saved.pipe(archive)) await readEntry(entry, search, isSkipped, read);
  if (read.config === null) throw new SandlotError('runtime_error', 'The runtime saved the image without its configuration.');
  const exact = placeInConfig(read.config, search);
  if (exact !== null || read.papers[0] !== undefined) return exact ?? read.papers[0] ?? null;
  for (const [name, found] of read.found) {
    const at = read.layers.indexOf(name);
    const digest = read.config.rootfs.diff_ids[at];
    if (digest === undefined || !skip.has(digest)) return { ...found, place: at < 0 ? found.place : `${found.place} in layer ${at + 1}` };
  }
  return null;
};
