// Images of a runtime that Sandlot made, and who needs them.
import { z } from 'zod';
import { environmentId } from './id.ts';
import { isoTime } from './time.ts';

export const ownImage = z.strictObject({
  /** `sha256:…` */
  id: z.string(),
  runtime: z.string(),
  tags: z.array(z.string()),
  /** With all its layers, which it may share with others. */
  size: z.number().nonnegative(),
  created_at: isoTime,
  /** `base`: what recipes are built on; `build`: a recipe's; `prepared`: with its setup done; `gate`: that of gates. */
  kind: z.enum(['base', 'build', 'prepared', 'gate', 'other']),
  used_by: z.array(
    z.strictObject({
      /** null when the environment was deleted and a session of it is still there. */
      environment_id: environmentId.nullable(),
      name: z.string(),
      how: z.enum(['pinned', 'prepared', 'session']),
    }),
  ),
  /** Nothing needs it: it may be removed. */
  is_unused: z.boolean(),
  /** What goes when all that are unused go, as `app.prune` tells it; null for one that is needed, and where the runtime does not tell. */
  frees_bytes: z.number().nonnegative().nullable(),
});
export type OwnImage = z.infer<typeof ownImage>;
