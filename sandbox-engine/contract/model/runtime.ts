// Runtimes as found, and the state of the house: doctor and registry.
import { z } from 'zod';
import { isoTime } from './time.ts';

/** One place where a runtime was looked for, and what was found there. */
export const runtimeProbe = z.strictObject({
  id: z.string(),
  kind: z.enum(['docker', 'podman', 'unknown']),
  /** `unix:///var/run/docker.sock`, `tcp://127.0.0.1:2375`. */
  address: z.string(),
  /** Why this place was looked at: `DOCKER_HOST`, `context "colima"`, `default socket`, ... */
  source: z.string(),
  status: z.enum([
    'connected',
    'reconnecting',
    'unreachable',
    'permission_denied',
    'not_running',
    'absent',
    'too_old',
    'unsupported',
    'unreadable',
  ]),
  message: z.string(),
  /** The exact command that mends it, when there is one. */
  fix: z.string().nullable(),
  rootless: z.boolean(),
  version: z.string().nullable(),
  api_version: z.string().nullable(),
  min_api_version: z.string().nullable(),
  architecture: z.string().nullable(),
  cpus: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  is_default: z.boolean(),
});
export type RuntimeProbe = z.infer<typeof runtimeProbe>;

export const doctorCheck = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  fix: z.string().nullable(),
});
export const doctorReport = z.strictObject({
  ok: z.boolean(),
  runtimes: z.array(runtimeProbe),
  checks: z.array(doctorCheck),
});
export type DoctorReport = z.infer<typeof doctorReport>;

export const registryState = z.strictObject({
  status: z.enum(['ok', 'read_only', 'recovered', 'damaged']),
  message: z.string(),
  /** Where a damaged file was put aside. */
  kept_aside: z.string().nullable(),
  /** Backups that can be restored, newest first. */
  backups: z.array(z.strictObject({ path: z.string(), at: isoTime, size: z.number() })),
});
export type RegistryState = z.infer<typeof registryState>;
