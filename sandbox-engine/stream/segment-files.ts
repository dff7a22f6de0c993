// The files of one stream: segments named by the offset of their first byte, and an empty file `ended`. The names are the only
// index, so what a killed host had written is found again by listing the folder. Knows no readers and no memory.
import { constants, type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import type { StreamOptions } from './stream.ts';

export interface Segment {
  start: number;
  length: number;
}

export interface SegmentListing {
  segments: Segment[];
  ended: boolean;
}

/** Appends to the newest segment; opens the next one and drops the oldest as the options say. */
export interface SegmentWriter {
  segments: Segment[];
  /** Writes all or throws; after a failure `segments` tells how much of it is there. @throws disk_full */
  write: (bytes: Buffer) => Promise<void>;
  markEnded: () => Promise<void>;
  close: () => Promise<void>;
}

const suffix = '.bytes';
const endedName = 'ended';
const smallestSegment = 65_536;
const segmentsPerStream = 8;
// Not O_APPEND: a write that failed half-way is repeated at its own place.
const writeFlags = constants.O_WRONLY | constants.O_CREAT;

const segmentPath = (folder: string, start: number): string => join(folder, `${String(start).padStart(16, '0')}${suffix}`);
const isMissing = (thrown: unknown): boolean => (thrown as NodeJS.ErrnoException).code === 'ENOENT';

/** Oldest offset that is kept. */
export const firstOffset = (segments: Segment[]): number => segments[0]?.start ?? 0;

/** Offset after the last byte. */
export const endOffset = (segments: Segment[]): number => {
  const last = segments.at(-1);
  return last === undefined ? 0 : last.start + last.length;
};

/** What is on disk of a stream; null when there is no such stream. */
export const listSegments = async (folder: string): Promise<SegmentListing | null> => {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
  const starts = names.filter((name) => name.endsWith(suffix)).map((name) => Number.parseInt(name, 10));
  const segments = await Promise.all(
    starts.sort((a, b) => a - b).map(async (start) => ({ start, length: (await stat(segmentPath(folder, start))).size })),
  );
  return { segments, ended: names.includes(endedName) };
};

/** Reads from one segment: the bytes may be fewer than asked for, and empty at the end. null when the segment was dropped meanwhile. */
export const readSegments = async (folder: string, segments: Segment[], from: number, maxBytes: number): Promise<Buffer | null> => {
  const segment = segments.findLast(({ start }) => start <= from);
  if (segment === undefined) return null;
  const length = Math.min(maxBytes, segment.start + segment.length - from);
  if (length <= 0) return Buffer.alloc(0);
  let handle: FileHandle;
  try {
    handle = await open(segmentPath(folder, segment.start), 'r');
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, from - segment.start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};

const writeFailure = (folder: string, thrown: unknown): SandlotError => {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT')
    return new SandlotError('internal', `A stream in ${folder} cannot be written: ${message}`, { cause: thrown });
  return new SandlotError('disk_full', `The disk that holds ${folder} is full: output could not be kept.`, {
    cause: thrown,
    nextAction: 'Free some space on that disk, or remove what Sandlot no longer needs with "sandlot prune".',
  });
};

const writeFully = async (handle: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  let written = 0;
  while (written < bytes.length) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
};

/** Opens a stream's files for writing after what is there; makes the folder when it is not there. */
export const openSegments = async (folder: string, options: StreamOptions, segments: Segment[]): Promise<SegmentWriter> => {
  const segmentSize =
    options.keep === 'head' ? Number.POSITIVE_INFINITY : Math.max(smallestSegment, Math.ceil(options.maxBytes / segmentsPerStream));
  if (segments.length === 0) segments.push({ start: 0, length: 0 });
  const openNewest = () => open(segmentPath(folder, segments.at(-1)?.start ?? 0), writeFlags);
  await mkdir(folder, { recursive: true });
  let handle = await openNewest();

  const nextSegment = async (): Promise<void> => {
    segments.push({ start: endOffset(segments), length: 0 });
    await handle.close();
    handle = await openNewest();
    for (
      let oldest = segments[0];
      oldest !== undefined && endOffset(segments) - oldest.start - oldest.length >= options.maxBytes;
      oldest = segments[0]
    ) {
      segments.shift();
      await rm(segmentPath(folder, oldest.start), { force: true });
    }
  };

  const write = async (bytes: Buffer): Promise<void> => {
    let rest = bytes;
    while (rest.length > 0) {
      if ((segments.at(-1)?.length ?? 0) >= segmentSize) await nextSegment();
      const newest = segments.at(-1) as Segment;
      const part = rest.subarray(0, Math.min(rest.length, segmentSize - newest.length));
      await writeFully(handle, part, newest.length);
      newest.length += part.length;
      rest = rest.subarray(part.length);
    }
  };

  return {
    segments,
    write: (bytes) => write(bytes).catch((thrown: unknown) => Promise.reject(writeFailure(folder, thrown))),
    markEnded: async () => (await open(join(folder, endedName), 'a')).close(),
    close: () => handle.close(),
  };
};
