// What a session has changed in its workspace, and the files in it.
import { z } from 'zod';
import { isoTime } from './time.ts';

const gitId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** What the changes of a session are counted from; written down when its workspace was filled. */
export const workspaceStart = z.strictObject({
  /** The folder that is compared: the repository, or the whole workspace. */
  root: z.string(),
  kind: z.enum(['repository', 'folder']),
  /** The state at the beginning, as a commit: that of the repository, or a snapshot. */
  commit: gitId,
  /** Where the branch stood; null in a folder, or without any commit. */
  head: gitId.nullable(),
});
export type WorkspaceStart = z.infer<typeof workspaceStart>;

export const changedFile = z.strictObject({
  /** Below the root; bytes that are no UTF-8 are shown as �. */
  path: z.string(),
  /** Before it was renamed. */
  old_path: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  /** Lines; null for what is binary, or too large to be compared. */
  added: z.number().int().nonnegative().nullable(),
  removed: z.number().int().nonnegative().nullable(),
  is_binary: z.boolean(),
  /** `repository`: a git repository of its own, which is not looked into. `large`: over 16 MiB, not compared. */
  kind: z.enum(['file', 'repository', 'large']),
});
export type ChangedFile = z.infer<typeof changedFile>;

export const changes = z.strictObject({
  root: z.string(),
  kind: workspaceStart.shape.kind,
  start: gitId,
  /** Its branch now; null in a folder, or on no branch. */
  branch: z.string().nullable(),
  /** Commits since the start, and whether anything is not committed. */
  commits: z.number().int().nonnegative(),
  has_uncommitted: z.boolean(),
  files: z.array(changedFile),
  /** Of all files, also those that are not listed. */
  files_total: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  /** Of the files asked for, when it was asked for; secrets in it are masked. */
  patch: z.string().nullable(),
  is_patch_whole: z.boolean(),
});
export type Changes = z.infer<typeof changes>;

export const fileEntry = z.strictObject({
  /** Its name in its folder; in a list of artifacts the path below theirs. */
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().int().nonnegative(),
  modified_at: isoTime,
  /** As `ls` writes it in octal: `0644`. */
  mode: z.string(),
  /** Where a link points, and what is there. */
  target: z.string().nullable(),
  leads_to: z.enum(['file', 'folder', 'other', 'nothing']).nullable(),
});
export type FileEntry = z.infer<typeof fileEntry>;

/** Bytes on their way into or out of a sandbox, pulled or pushed in pieces; forgotten when nobody has for a minute. */
export const transfer = z.strictObject({
  id: z.string().regex(/^xfr_[0-9a-z]{26}$/),
  /** What it is called on its way out, without any folder. */
  name: z.string(),
  /** `folder`: a tar stream. */
  kind: z.enum(['file', 'folder']),
  /** null when nobody knows beforehand. */
  size: z.number().int().nonnegative().nullable(),
});
export type Transfer = z.infer<typeof transfer>;
