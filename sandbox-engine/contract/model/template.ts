// Templates and the bases of the catalog.
import { z } from 'zod';

export const catalogBase = z.strictObject({
  name: z.string(),
  summary: z.string(),
  reference: z.string(),
  bootstrappable: z.boolean(),
});
export type CatalogBase = z.infer<typeof catalogBase>;

export const template = z.strictObject({
  id: z.string(),
  revision: z.number().int().positive(),
  name: z.string(),
  summary: z.string(),
  /** A body that `environments.create` takes as it is. */
  definition: z.record(z.string(), z.unknown()),
});
export type Template = z.infer<typeof template>;
