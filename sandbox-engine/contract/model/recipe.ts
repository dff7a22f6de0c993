// The recipe as parsed: what is baked into an image, and its parts.
import { z } from 'zod';
import { stringMap } from './string-map.ts';

/** Package lists per manager; all six are always present, empty means none. */
export const packageManagers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const;
export type PackageManager = (typeof packageManagers)[number];
export const packages = z.strictObject({
  apt: z.array(z.string()),
  cargo: z.array(z.string()),
  gem: z.array(z.string()),
  go: z.array(z.string()),
  npm: z.array(z.string()),
  pip: z.array(z.string()),
});
export type Packages = z.infer<typeof packages>;

export const step = z.strictObject({ name: z.string(), run: z.string() });
export type Step = z.infer<typeof step>;

export const knowledgeEntry = z.strictObject({ name: z.string(), contents: z.string() });

/** What is baked into an image; nothing else takes part in the fingerprint. Order of `env` is that of the source. */
export const recipe = z.strictObject({
  base: z.string(),
  env: stringMap,
  packages,
  initialize: z.array(step),
});
export type Recipe = z.infer<typeof recipe>;
