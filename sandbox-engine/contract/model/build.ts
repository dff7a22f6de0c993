// Builds, the ledger of pins and what a session would boot from.
import { z } from 'zod';
import { buildId, environmentId, pinId, streamId } from './id.ts';
import { isoTime, milliseconds } from './time.ts';

export const buildStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);

/** A step of a build, in order: `base`, `runtime layer`, then what the recipe names, then `boot test`. */
export const buildStep = z.strictObject({
  index: z.number().int().nonnegative(),
  name: z.string(),
  status: z.enum(['waiting', 'running', 'succeeded', 'failed', 'cached', 'cancelled']),
  started_at: isoTime.nullable(),
  duration_ms: milliseconds.nullable(),
});
export type BuildStep = z.infer<typeof buildStep>;

export const bootCheck = z.strictObject({ name: z.string(), passed: z.boolean(), message: z.string() });
export const bootTest = z.strictObject({ passed: z.boolean(), checks: z.array(bootCheck) });
export type BootTest = z.infer<typeof bootTest>;

export const build = z.strictObject({
  id: buildId,
  environment_id: environmentId,
  status: buildStatus,
  /** Hex SHA-256 over base digest, env, packages and initialize; the same fingerprint is built once and shared. */
  fingerprint: z.string(),
  /** That of the environment when the build was asked for. */
  recipe_digest: z.string(),
  recipe_yaml: z.string(),
  runtime: z.string(),
  base: z.string(),
  base_digest: z.string().nullable(),
  steps: z.array(buildStep),
  failed_step: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string(), next_action: z.string().nullable() }).nullable(),
  image_id: z.string().nullable(),
  image_size: z.number().nullable(),
  boot_test: bootTest.nullable(),
  /** The earlier build whose image this one shares, when nothing had to be done. */
  reused_build_id: buildId.nullable(),
  stream_id: streamId,
  created_at: isoTime,
  started_at: isoTime.nullable(),
  finished_at: isoTime.nullable(),
});
export type Build = z.infer<typeof build>;

/** One line of the pin ledger; the newest `pinned` that was not followed by `unpinned` is the Active Image. */
export const pin = z.strictObject({
  id: pinId,
  environment_id: environmentId,
  action: z.enum(['pinned', 'unpinned', 'rejected']),
  build_id: buildId.nullable(),
  image_id: z.string().nullable(),
  fingerprint: z.string().nullable(),
  reason: z.string().nullable(),
  at: isoTime,
});
export type Pin = z.infer<typeof pin>;

/** What a session of this environment would boot from now, and why. */
export const imageState = z.strictObject({
  state: z.enum(['none', 'active', 'stale', 'missing']),
  build_id: buildId.nullable(),
  image_id: z.string().nullable(),
  message: z.string(),
});
export type ImageState = z.infer<typeof imageState>;
