// Calls about what a policy says: one destination, everything, a draft, and the presets that it names.
import { z } from 'zod';
import {
  accessPreset,
  environmentAccess,
  environmentId,
  networkPolicy,
  policyErrorCodes,
  policyWarning,
  testedDestination,
} from '../model.ts';
import { byEnvironment } from './input.ts';

/** A policy that is not saved yet takes the place of the environment's own, for this question only. */
const draft = { network_policy: z.unknown().optional() };

export const egressPolicyCalls = {
  /** What the policy says about a URL, `host:port` or host: verdict, deciding rule, and the rule that would allow it. Nothing is contacted. */
  'egress.test': { input: byEnvironment.extend({ destination: z.string().min(1).max(2000), ...draft }), output: testedDestination },
  /** Everything that an environment's sandboxes can reach, rule by rule, presets expanded. */
  'egress.access': { input: byEnvironment.extend(draft), output: environmentAccess },
  /** Checks a policy without saving it. Paths are JSON pointers into the policy; `policy` is its one spelling, null when there are errors. */
  'egress.check': {
    input: z.strictObject({ network_policy: z.unknown(), environment_id: environmentId.optional() }),
    output: z.strictObject({
      policy: networkPolicy.nullable(),
      errors: z.array(
        z.strictObject({ code: z.enum(policyErrorCodes), path: z.string(), message: z.string(), suggestion: z.string().optional() }),
      ),
      warnings: z.array(policyWarning),
    }),
  },
  /** Asks the package managers in the environment's image, and their registries once, which hosts they use; takes over newer built-in
   *  presets. What cannot be asked keeps its last result, marked. */
  'egress.resolve_presets': { input: byEnvironment, output: z.strictObject({ presets: z.array(accessPreset) }) },
} as const;
