// All streams of one data folder: a folder each. An id with a dot (`str_….index`) is a companion of the stream before the dot: it is not
// listed, goes with it, and its growth is told as its stream's. Segments, memory and waiting are in the files beside this one.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import type { Growth } from './growth-teller.ts';
import { createGrowthWaiters } from './growth-waiters.ts';
import { maskWriter } from './mask-writer.ts';
import type { Redactor } from './redact.ts';
import { endOffset, firstOffset, listSegments, readSegments, type SegmentListing } from './segment-files.ts';
import type { OnGrew, StreamOptions, StreamSlice, StreamStore, StreamWriter } from './stream.ts';
import { type OpenStream, openStream } from './stream-writer.ts';

interface StreamStoreOptions {
  folder: string;
  onGrew: OnGrew;
  /** Masks what is appended to every stream that is not `plain`. */
  redactor?: Redactor;
  /** How far a watching reader may fall behind before the writer waits; streams that keep their tail only. */
  maxLagBytes?: number;
}

const defaultMaxLag = 2_097_152;
const mostPerRead = 4_194_304;

const notFound = (id: string) => new SandlotError('not_found', `There is no stream "${id}".`);

const checkId = (id: string): string => {
  if (!/^[a-z0-9_]+(\.[a-z]+)?$/.test(id)) throw notFound(id);
  return id;
};

const parentOf = (id: string): string => id.split('.')[0] ?? id;

const listed = async (folder: string, id: string): Promise<SegmentListing> => {
  const listing = await listSegments(join(folder, checkId(id)));
  if (listing === null) throw notFound(id);
  return listing;
};

const readClosed = async (folder: string, id: string, from: number, maxBytes: number): Promise<StreamSlice> => {
  for (;;) {
    const { segments, ended } = await listed(folder, id);
    const [start, size] = [firstOffset(segments), endOffset(segments)];
    const at = Math.min(Math.max(from, start), size);
    const bytes = at === size ? Buffer.alloc(0) : await readSegments(join(folder, id), segments, at, maxBytes);
    if (bytes !== null) return { bytes, from: at, next: at + bytes.length, start, size, ended };
  }
};

const namesIn = async (folder: string): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  return await readdir(folder);
};

const removeFolders = async (folder: string, opened: Map<string, OpenStream>, id: string): Promise<void> => {
  checkId(id);
  for (const name of (await namesIn(folder)).filter((other) => parentOf(other) === id || other === id)) {
    await opened.get(name)?.close();
    await rm(join(folder, name), { recursive: true, force: true });
  }
};

const maskStream = (stream: OpenStream, redactor: Redactor): OpenStream => {
  const { writer, flush } = maskWriter(stream.writer, redactor);
  const close = async (): Promise<void> => {
    await flush().catch(() => undefined);
    await stream.close();
  };
  return { ...stream, writer, close };
};

/** Makes the store of one folder. What another host wrote there before can be read and written on. */
export const createStreamStore = ({ folder, onGrew, redactor, maxLagBytes = defaultMaxLag }: StreamStoreOptions): StreamStore => {
  const opened = new Map<string, OpenStream>();
  const waiters = createGrowthWaiters();

  const tell = (id: string, growth: Growth) => {
    const parent = parentOf(id);
    if (parent === id) onGrew({ streamId: id, ...growth });
    else if (!growth.ended) opened.get(parent)?.teller.grew();
    waiters.wake(id, growth.size, growth.ended);
  };

  const open = async (id: string, options: StreamOptions, { segments }: SegmentListing): Promise<StreamWriter> => {
    const onClosed = () => opened.delete(id);
    const plain = await openStream({
      id,
      folder: join(folder, id),
      options,
      segments,
      maxLagBytes,
      tell: (growth) => tell(id, growth),
      onClosed,
    });
    const stream = redactor === undefined || options.plain === true ? plain : maskStream(plain, redactor);
    opened.set(id, stream);
    return stream.writer;
  };

  return {
    create: async (id, options) => {
      const isThere = opened.has(id) || (await listSegments(join(folder, checkId(id)))) !== null;
      if (isThere) throw new SandlotError('already_exists', `There is a stream "${id}" already.`);
      return await open(id, options, { segments: [], ended: false });
    },
    reopen: async (id, options) => opened.get(id)?.writer ?? (await open(id, options, await listed(folder, id))),
    read: (id, from, maxBytes) => {
      const most = Math.min(maxBytes, mostPerRead);
      return opened.get(id)?.read(from, most) ?? readClosed(folder, id, from, most);
    },
    waitForGrowth: async (id, size, timeoutMs) => {
      const stream = opened.get(id);
      const now = stream === undefined ? await readClosed(folder, id, 0, 0) : { size: stream.writer.size(), ended: false };
      if (!now.ended && now.size <= size) await waiters.wait(id, size, timeoutMs);
    },
    remove: (id) => removeFolders(folder, opened, id),
    list: async () => (await namesIn(folder)).filter((name) => !name.includes('.')),
    close: async () => {
      await Promise.all([...opened.values()].map((stream) => stream.close()));
    },
  };
};
