// Templates and the bases of the catalog.
import { z } from 'zod';
import { templateId } from './id.ts';

export const catalogBase = z.strictObject({
  name: z.string(),
  summary: z.string(),
  reference: z.string(),
  bootstrappable: z.boolean(),
});
export type CatalogBase = z.infer<typeof catalogBase>;

export const template = z.strictObject({
  /** `tpl_…` for the person's own, a word for the reviewed ones. */
  id: z.union([templateId, z.string().regex(/^[a-z-]+$/)]),
  revision: z.number().int().positive(),
  name: z.string(),
  summary: z.string(),
  /** A body that `environments.create` takes as it is. */
  definition: z.record(z.string(), z.unknown()),
  is_own: z.boolean(),
});
export type Template = z.infer<typeof template>;
