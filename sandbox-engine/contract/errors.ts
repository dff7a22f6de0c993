// Every error code that may cross the wire, with its HTTP status. A code is stable; its message is not.
// Source: SPEC.md 2, 3, 5 and 9; HTTP semantics RFC 9110, 428 from RFC 6585.
import { z } from 'zod';

/** HTTP status of each error code; the same table feeds the HTTP door and the CLI's exit codes. */
export const errorStatus = {
  invalid_request: 400,
  recipe_invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  folder_not_agreed: 403,
  not_found: 404,
  unknown_call: 404,
  already_exists: 409,
  revision_conflict: 409,
  idempotency_mismatch: 409,
  environment_attached: 409,
  setup_run_in_progress: 409,
  setup_run_finished: 409,
  too_many_setup_runs: 409,
  build_finished: 409,
  build_not_pinnable: 409,
  session_not_running: 409,
  terminal_closed: 409,
  start_script_running: 409,
  replace_needed: 409,
  runtime_differs: 422,
  precondition_failed: 412,
  too_large: 413,
  precondition_required: 428,
  environment_not_verified: 422,
  network_policy_not_supported: 422,
  insufficient_resources: 422,
  WrongArchitecture: 422,
  NotDebianFamily: 422,
  TooLarge: 422,
  RegistryError: 422,
  PullSecretError: 422,
  BootTestFailed: 422,
  image_reference_invalid: 400,
  image_missing: 409,
  image_in_use: 409,
  build_failed: 422,
  cancelled: 499,
  timeout: 504,
  runtime_unavailable: 503,
  runtime_permission_denied: 503,
  runtime_too_old: 503,
  runtime_error: 502,
  runtime_not_found: 404,
  gate_failed: 503,
  disk_full: 507,
  registry_locked: 503,
  registry_damaged: 500,
  registry_read_only: 500,
  registry_too_new: 500,
  host_unreachable: 503,
  host_already_running: 409,
  stream_broken: 502,
  secret_missing: 422,
  secret_in_image: 422,
  secrets_locked: 503,
  secrets_damaged: 500,
  internal: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** What a failed call answers. `details` is for programs, `message` and `next_action` are for people. */
export const errorBody = z.strictObject({
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  next_action: z.string().nullable(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;
