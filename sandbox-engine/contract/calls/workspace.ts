// Calls about what is in a session's workspace: its changes, its files, and bytes on their way.
import { z } from 'zod';
import { changes, fileEntry, sessionId, transfer } from '../model.ts';
import { bySession, done } from './input.ts';

const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.includes('\u0000'), 'must not hold a NUL');
const byPath = bySession.extend({
  /** In the sandbox; one that does not begin with a slash counts from /workspace. */
  path,
});
const byTransfer = z.strictObject({ transfer_id: transfer.shape.id });
/** Base64 of at most 512 KiB. */
const piece = z.string().max(700_000);

export const workspaceCalls = {
  /** What is different from the state in which the session began, committed or not; lists at most 2,000 files. */
  'sessions.diff': {
    input: z.strictObject({
      session_id: sessionId,
      /** Also the patch, of at most 512 KiB; longer ones come by `sessions.patch`. */
      patch: z.boolean().optional(),
      /** Only these files, by their paths below the root. */
      files: z.array(path).max(100).optional(),
    }),
    output: changes,
  },
  /** Commits everything that is not ignored, in the session, without hooks and signatures. */
  'sessions.commit': {
    input: z.strictObject({
      session_id: sessionId,
      message: z.string().trim().min(1).max(65_536),
      /** Else git's own configuration in the sandbox, or a name of Sandlot's. */
      author: z
        .strictObject({
          name: z.string().regex(/^[^<>\u0000-\u001f]{1,200}$/, 'must be a plain name'),
          email: z.string().regex(/^[^<>\s]{1,200}$/, 'must be an address'),
        })
        .optional(),
    }),
    output: z.strictObject({ commit: z.string(), subject: z.string(), files: z.number().int() }),
  },
  /** `diff`: everything as one patch for `git apply`. `commits`: the commits for `git am`. `bundle`: the same for `git fetch`. */
  'sessions.patch': {
    input: z.strictObject({ session_id: sessionId, format: z.enum(['diff', 'commits', 'bundle']).optional() }),
    output: transfer,
  },
  /** The environment file that came with the session's repository; null when none did. Nothing is applied. */
  'sessions.offered_file': {
    input: bySession,
    output: z.strictObject({ file: z.strictObject({ name: z.string(), contents: z.string() }).nullable() }),
  },

  /** A folder's entries, folders first, at most 5,000. */
  'files.list': {
    input: byPath,
    output: z.strictObject({ path: z.string(), entries: z.array(fileEntry), total: z.number().int() }),
  },
  /** A piece of a file for looking at; text has its secrets masked. The file as it is comes by `files.download`. */
  'files.read': {
    input: byPath.extend({
      from: z.number().int().nonnegative().optional(),
      max_bytes: z.number().int().min(1).max(1_048_576).optional(),
    }),
    output: z.strictObject({
      content: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      from: z.number().int(),
      next: z.number().int(),
      size: z.number().int(),
    }),
  },
  /** Writes a small file whole; missing folders are made. */
  'files.write': { input: byPath.extend({ content: piece, encoding: z.enum(['utf8', 'base64']).optional() }), output: done },
  'files.download': { input: byPath, output: transfer },
  /** A folder is given as a tar stream, whose entries go below the path. */
  'files.upload': {
    input: byPath.extend({
      kind: z.enum(['file', 'folder']),
      /** When the path is a folder, the file goes into it under this name. */
      name: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^/\u0000]+$/, 'must be a name without a slash')
        .optional(),
      executable: z.boolean().optional(),
    }),
    output: transfer,
  },
  /** Files below /workspace/artifacts, at most 1,000. */
  'artifacts.list': {
    input: bySession,
    output: z.strictObject({ path: z.string(), artifacts: z.array(fileEntry), total: z.number().int() }),
  },

  /** The next bytes as base64; after the last the transfer is gone. `note`: what had to be left out. */
  'transfers.read': {
    input: byTransfer.extend({ max_bytes: z.number().int().min(1).max(1_048_576).optional() }),
    output: z.strictObject({ data: z.string(), ended: z.boolean(), note: z.string().nullable() }),
  },
  'transfers.write': { input: byTransfer.extend({ data: piece }), output: done },
  /** All was written: puts it in place. */
  'transfers.finish': { input: byTransfer, output: z.strictObject({ path: z.string() }) },
  /** How far it is. Whoever asks cares for it; that it is over is told for a minute, also why it failed. */
  'transfers.get': {
    input: byTransfer,
    output: transfer.extend({ moved: z.number().int(), ended: z.boolean(), note: z.string().nullable() }),
  },
  'transfers.cancel': { input: byTransfer, output: done },
} as const;
