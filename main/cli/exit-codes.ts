// What the command line answers to the shell. Documented in docs/cli.md; a command's own code passes through `session exec`.
import { type ErrorCode, errorStatus } from '../../sandbox-engine/contract/errors.ts';

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  runtime: 5,
  host: 6,
  interrupted: 130,
} as const;

const special: Partial<Record<ErrorCode, number>> = {
  unknown_call: exitCodes.usage,
  environment_not_verified: exitCodes.conflict,
  network_policy_not_supported: exitCodes.conflict,
  secret_missing: exitCodes.conflict,
  registry_locked: exitCodes.conflict,
  runtime_unavailable: exitCodes.runtime,
  runtime_permission_denied: exitCodes.runtime,
  runtime_too_old: exitCodes.runtime,
  host_unreachable: exitCodes.host,
  host_already_running: exitCodes.host,
};

const byStatus: Partial<Record<number, number>> = {
  400: exitCodes.usage,
  413: exitCodes.usage,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  412: exitCodes.conflict,
  428: exitCodes.conflict,
};

/** The exit code of a failed call. */
export const exitCodeOf = (code: ErrorCode): number => special[code] ?? byStatus[errorStatus[code]] ?? exitCodes.failed;
