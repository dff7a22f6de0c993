// Calls about the setup script and its runs.
import { z } from 'zod';
import { environmentId, logLine, setupRun, setupRunId, setupWarning } from '../model.ts';
import { bySetupRun, cursor } from './input.ts';

export const setupCalls = {
  'setup.check': {
    input: z.strictObject({ script: z.string() }),
    output: z.strictObject({ script: z.string(), size: z.number().int(), warnings: z.array(setupWarning) }),
  },
  'setup_runs.create': {
    input: z.strictObject({
      environment_id: environmentId,
      idempotency_key: z.string().min(1).max(255),
      /** Lets everything public pass for this one run, writes down what it reaches, and proves nothing. A person has to have agreed. */
      observe: z.boolean().optional(),
    }),
    output: setupRun,
  },
  'setup_runs.get': { input: z.strictObject({ setup_run_id: setupRunId, wait_seconds: z.number().min(0).optional() }), output: setupRun },
  /** Newest first; 50 unless a limit is given. */
  'setup_runs.list': {
    input: z.strictObject({ environment_id: environmentId, limit: z.number().int().min(1).max(50).optional(), cursor }),
    output: z.strictObject({ setup_runs: z.array(setupRun), next_cursor: z.string().nullable() }),
  },
  'setup_runs.cancel': { input: bySetupRun, output: setupRun },
  'setup_runs.logs': {
    input: z.strictObject({
      setup_run_id: setupRunId,
      after: z.number().int().nonnegative().optional(),
      limit: z.number().int().min(1).max(2000).optional(),
      wait_seconds: z.number().min(0).optional(),
    }),
    output: z.strictObject({
      lines: z.array(logLine),
      next_after: z.number().int(),
      truncated: z.boolean(),
      status: setupRun.shape.status,
    }),
  },
  /** The same setup on every connected runtime, one after the other, as one matrix. */
  'setup_runs.parity': {
    input: z.strictObject({ environment_id: environmentId, runtimes: z.array(z.string()).min(1).optional() }),
    output: z.strictObject({
      rows: z.array(
        z.strictObject({
          runtime: z.string(),
          status: setupRun.shape.status,
          exit_code: z.number().int().nullable(),
          failed_line: z.number().int().nullable(),
          duration_ms: z.number(),
          image_size: z.number().nullable(),
          message: z.string().nullable(),
        }),
      ),
      first_difference: z.strictObject({ index: z.number().int(), lines: z.record(z.string(), z.string().nullable()) }).nullable(),
    }),
  },
} as const;
