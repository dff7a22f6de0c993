// Folders of this machine that go into sandboxes.
import { z } from 'zod';

/** A folder (or file) as an environment names it: a mount is seen as it is, a repository is copied. */
export const hostFolder = z.strictObject({
  path: z.string().startsWith('/'),
  use: z.enum(['mount', 'repository']),
  read_only: z.boolean(),
});
export type HostFolder = z.infer<typeof hostFolder>;

export const listedFolder = hostFolder.extend({ is_agreed: z.boolean() });
export type ListedFolder = z.infer<typeof listedFolder>;
