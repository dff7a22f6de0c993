// One transfer: the program inside that sends or takes, and the piece that is on its way.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import type { Transfer } from '../contract/model.ts';
import type { InsidePlace } from './ask-inside.ts';
import { fileFailure } from './files.ts';

/** How long a program may say nothing while somebody waits for it. */
const silenceMs = 45_000;

export interface OpenTransfer {
  transfer: Transfer;
  place: InsidePlace;
  handle: ExecHandle;
  chunks: AsyncIterator<Buffer>;
  left: Buffer;
  /** What may still come, when the beginning said how much. */
  remaining: number;
  /** What it said on standard error, and, for one that takes, on standard output. */
  said: { stderr: string; stdout: string };
  turn: Promise<unknown>;
  /** Bytes that whoever reads has got, or whoever writes has given. */
  moved: number;
  /** For one that takes: resolves when the program has ended, which it does before all has come only when it cannot go on. */
  over: Promise<void> | null;
  isOver: boolean;
  timer: NodeJS.Timeout;
}

/** The first of `work` and the end of the time. @throws timeout */
const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(silenceMs, undefined, { signal: over.signal }).then(() => {
        throw new SandlotError('timeout', `The sandbox sent nothing for ${silenceMs / 1_000} seconds.`, { nextAction: 'Try again.' });
      }),
    ]);
  } finally {
    over.abort();
  }
};

/** Standard output piece by piece; the rest is kept aside. */
export async function* outputOf(handle: ExecHandle, said: OpenTransfer['said']): AsyncGenerator<Buffer> {
  for await (const { stream, bytes } of handle.output) {
    if (stream === 'stdout') yield bytes;
    else said.stderr = (said.stderr + bytes.toString('utf8')).slice(-4_096);
  }
}

/** Reads the first line: what kind it is and how large. @throws not_found @throws forbidden */
export const readHead = async (open: OpenTransfer): Promise<void> => {
  while (!open.left.includes(10) && open.left.length < 64) {
    const next = await inTime(open.chunks.next());
    if (next.done === true) throw fileFailure(await inTime(open.handle.exitCode()), open.said.stderr);
    open.left = Buffer.concat([open.left, next.value]);
  }
  const end = open.left.indexOf(10);
  const [, kind, size] = /^([fd]) (\d{1,15})$/.exec(open.left.subarray(0, Math.max(0, end)).toString('latin1')) ?? [];
  if (kind === undefined) throw new SandlotError('stream_broken', 'The sandbox did not send what was asked for.');
  open.left = open.left.subarray(end + 1);
  if (kind === 'd') open.transfer.kind = 'folder';
  else {
    open.transfer.size = Number(size);
    open.remaining = Number(size) - open.left.length;
  }
};

/** The next bytes, and whether they were the last. */
const pull = async (open: OpenTransfer, maxBytes: number): Promise<{ bytes: Buffer; ended: boolean }> => {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < maxBytes) {
    if (open.left.length === 0) {
      const next = await inTime(open.chunks.next());
      if (next.done === true) return { bytes: Buffer.concat(parts, length), ended: true };
      open.left = next.value.subarray(0, Math.max(0, open.remaining));
      open.remaining -= open.left.length;
    }
    const part = open.left.subarray(0, maxBytes - length);
    open.left = open.left.subarray(part.length);
    parts.push(part);
    length += part.length;
  }
  return { bytes: Buffer.concat(parts, length), ended: false };
};

/** Hears what a program that takes says, until it has ended. */
export const hear = async (open: OpenTransfer): Promise<void> => {
  try {
    for (let next = await open.chunks.next(); next.done !== true; next = await open.chunks.next())
      open.said.stdout = (open.said.stdout + next.value.toString('utf8')).slice(-8_192);
  } catch {
    // It broke off: its exit code, or the lack of one, says so.
  }
  open.isOver = true;
};

const noteOf = (stderr: string): string | null => {
  const lines = stderr
    .split('\n')
    .filter((line) => line !== '' && !/socket ignored|file changed as we read it|Exiting with failure/.test(line));
  return lines.length === 0 ? null : lines.slice(-20).join('\n').slice(0, 2_000);
};

const failure = (exitCode: number | null, stderr: string): SandlotError => {
  if (exitCode === null) return fileFailure(5, stderr);
  // 8: a script of ours refused.
  return fileFailure(exitCode === 8 ? 4 : exitCode, stderr);
};

/** Bytes for whoever reads; at the end a note of what was left out. @throws what the program said when it failed */
export const readTransfer = async (
  open: OpenTransfer,
  maxBytes: number,
): Promise<{ bytes: Buffer; ended: boolean; note: string | null }> => {
  const { bytes, ended } = await pull(open, maxBytes);
  open.moved += bytes.length;
  if (!ended) return { bytes, ended, note: null };
  const exitCode = await inTime(open.handle.exitCode());
  // Codes 1 and 2 of tar: something changed or could not be read meanwhile; the rest is whole.
  const isTar = open.transfer.kind === 'folder';
  if (exitCode !== 0 && !(isTar && (exitCode === 1 || exitCode === 2))) throw failure(exitCode, open.said.stderr);
  return { bytes, ended, note: noteOf(open.said.stderr) };
};

const framed = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
};

/** Hands bytes to the program. @throws what it said when it could not go on */
export const writeTransfer = async (open: OpenTransfer, bytes: Buffer): Promise<void> => {
  if (open.isOver) throw failure(await inTime(open.handle.exitCode()), open.said.stderr);
  await inTime(open.handle.type(framed(bytes)));
  open.moved += bytes.length;
};

/** Says that all has come, and answers what the program says then: where it put it. */
export const finishTransfer = async (open: OpenTransfer): Promise<string> => {
  await inTime(open.handle.type(framed(Buffer.alloc(0))));
  await inTime(open.over ?? Promise.resolve());
  const exitCode = await inTime(open.handle.exitCode());
  if (exitCode !== 0) throw failure(exitCode, open.said.stderr);
  return open.said.stdout.replace(/\n$/, '');
};
