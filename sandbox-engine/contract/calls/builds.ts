// Calls about builds and pins.
import { z } from 'zod';
import { build, buildId, environmentId, pin } from '../model.ts';
import { byEnvironment, cursor } from './input.ts';

export const buildCalls = {
  /** `pin: true` pins it when it has passed its boot test. `no_cache` builds even when the fingerprint is known. */
  'builds.start': {
    input: z.strictObject({ environment_id: environmentId, pin: z.boolean().optional(), no_cache: z.boolean().optional() }),
    output: build,
  },
  'builds.get': { input: z.strictObject({ build_id: buildId }), output: build },
  /** Newest first; 50 unless a limit is given. */
  'builds.list': {
    input: z.strictObject({ environment_id: environmentId, limit: z.number().int().min(1).max(100).optional(), cursor }),
    output: z.strictObject({ builds: z.array(build), next_cursor: z.string().nullable() }),
  },
  'builds.cancel': { input: z.strictObject({ build_id: buildId }), output: build },
  'pins.create': { input: z.strictObject({ build_id: buildId }), output: pin },
  'pins.remove': { input: byEnvironment, output: pin },
  'pins.list': { input: byEnvironment, output: z.strictObject({ pins: z.array(pin) }) },
} as const;
