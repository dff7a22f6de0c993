// The network policy of an environment.
import { z } from 'zod';

/** `{}` is unrestricted and the only spelling of it; `rules: []` blocks every destination. */
export const networkPolicy = z.union(
  [
    z.strictObject({}),
    z.strictObject({ version: z.literal('v1'), rules: z.array(z.record(z.string(), z.unknown())) }),
    // The forms stand in the error, because zod's own says only that none of them fits.
  ],
  'must be {} (unrestricted) or {"version": "v1", "rules": []} (no network)',
);
export type NetworkPolicy = z.infer<typeof networkPolicy>;
