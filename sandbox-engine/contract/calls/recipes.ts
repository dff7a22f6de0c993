// Calls about the text of a recipe.
import { z } from 'zod';
import { knowledgeEntry, packageManagers, step, stringMap } from '../model.ts';

const packageLists = z.strictObject(
  Object.fromEntries(packageManagers.map((manager) => [manager, z.array(z.string()).optional()])) as Record<
    (typeof packageManagers)[number],
    z.ZodOptional<z.ZodArray<z.ZodString>>
  >,
);

/** The recipe as an object; omitted keys keep what is stored, a given list or map replaces its whole value. */
export const recipePatch = z.strictObject({
  base: z.string().optional(),
  env: stringMap.optional(),
  packages: packageLists.optional(),
  initialize: z.array(step).optional(),
});

export const recipeCalls = {
  /** Checks without saving; problems carry 1-based line and column. Answers the form's view of the text. */
  'recipes.check': {
    input: z.strictObject({ recipe_yaml: z.string() }),
    output: z.strictObject({
      problems: z.array(z.strictObject({ line: z.number().int(), column: z.number().int(), message: z.string(), path: z.string() })),
      parsed: z
        .strictObject({
          base: z.string(),
          env: stringMap,
          packages: z.record(z.string(), z.array(z.string())),
          initialize: z.array(step),
          session_start: z.array(step),
          knowledge: z.array(knowledgeEntry),
        })
        .nullable(),
      dockerfile: z.string().nullable(),
    }),
  },
  /** Writes a form's edit into the text and keeps comments, order and quoting of all else. */
  'recipes.edit': {
    input: z.strictObject({
      recipe_yaml: z.string(),
      recipe: recipePatch.optional(),
      session_start: z.array(step).optional(),
      knowledge: z.array(knowledgeEntry).optional(),
    }),
    output: z.strictObject({ recipe_yaml: z.string() }),
  },
} as const;
