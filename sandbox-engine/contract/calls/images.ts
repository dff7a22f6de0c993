// Calls about the images that Sandlot made.
import { z } from 'zod';
import { ownImage } from '../model.ts';
import { done, empty } from './input.ts';

export const imageCalls = {
  /** Of every runtime that is connected, the largest first; `away` are those that could not be asked. */
  'images.list': { input: empty, output: z.strictObject({ images: z.array(ownImage), away: z.array(z.string()) }) },
  /** Refuses one that is needed. @throws image_in_use @throws not_found */
  'images.remove': { input: z.strictObject({ runtime: z.string(), image_id: z.string() }), output: done },
} as const;
