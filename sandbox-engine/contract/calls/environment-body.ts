// What may be written of an environment, at first and later.
import { z } from 'zod';
import { knowledgeEntry, type NetworkPolicy, networkPolicy, plainFields, repo, setup, step, stringMap, stringMapPatch } from '../model.ts';
import { name } from './input.ts';
import { recipePatch } from './recipes.ts';

const resourcesInput = z.union(
  [
    // The numbers of a named size may come along, as they do when a stored value is sent back; the name decides.
    z.strictObject({
      size: z.enum(['small', 'medium', 'large']),
      cpus: z.number().positive().nullable().optional(),
      memory_gib: z.number().positive().nullable().optional(),
      gpu: z.boolean().optional(),
    }),
    z.strictObject({
      size: z.literal('custom').optional(),
      cpus: z.number().positive(),
      memory_gib: z.number().positive(),
      gpu: z.boolean().optional(),
    }),
  ],
  'must be {"size": "small"} (or medium, large), or {"cpus": 2, "memory_gib": 4}',
);

const { $schema: _dialect, ...policySchema } = z.toJSONSchema(networkPolicy);

/** A policy as a client sends it: whatever stands there reaches the policy check, which names every problem by its code and place. */
const networkPolicyInput = z.unknown().meta(policySchema) as unknown as z.ZodType<unknown, NetworkPolicy>;

/** A body whose policy was checked. */
type WithPolicy<Body> = Omit<Body, 'network_policy'> & { network_policy?: NetworkPolicy };

/** What may be written of an environment. Give the recipe as `recipe_yaml` or as objects, not both. */
const writable = {
  description: z.string(),
  repo: repo.nullable(),
  recipe_yaml: z.string(),
  recipe: recipePatch,
  session_start: z.array(step),
  knowledge: z.array(knowledgeEntry),
  setup: setup.nullable(),
  ...plainFields,
  network_policy: networkPolicyInput,
  resources: resourcesInput,
} as const;

const partial = z.strictObject(writable).partial();

export const environmentCreate = partial.extend({
  name,
  metadata: stringMap.optional(),
  runtime: z.string().optional(),
});
/** As it came: nobody has looked at its policy yet. */
export type UncheckedCreate = z.infer<typeof environmentCreate>;
export type EnvironmentCreate = WithPolicy<UncheckedCreate>;

export const expectedAccess = z.strictObject({ network_policy: networkPolicy, privileged: z.boolean() });

export const environmentPatch = partial.extend({
  name: name.optional(),
  /** Merged: omitted keys stay, `null` removes one. */
  metadata: stringMapPatch.optional(),
  /** When given and not the stored one: 409 `revision_conflict`. */
  revision: z.number().int().positive().optional(),
  expected_access: expectedAccess.optional(),
});
/** As it came: nobody has looked at its policy yet. */
export type UncheckedPatch = z.infer<typeof environmentPatch>;
export type EnvironmentPatch = WithPolicy<UncheckedPatch>;
