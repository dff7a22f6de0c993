// The one error that Sandlot throws. What is expected to happen is a value; this is for what was refused or broke.
import type { ErrorBody, ErrorCode } from '../contract/errors.ts';

export interface SandlotErrorOptions {
  cause?: unknown;
  /** For programs: ids, positions (`line`, `column`, 1-based), JSON pointers (`path`). */
  details?: Record<string, unknown>;
  /** For people: the next thing to do, as one sentence or one command. */
  nextAction?: string;
}

/** A failure with a stable code; the message says what failed, on what, and what to do next. */
export class SandlotError extends Error {
  override readonly name = 'SandlotError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly nextAction: string | null;

  constructor(code: ErrorCode, message: string, options: SandlotErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.nextAction = options.nextAction ?? null;
  }
}

/** Turns anything thrown into what crosses the wire; what is not ours becomes `internal` and keeps its text. */
export const toErrorBody = (thrown: unknown, requestId: string): ErrorBody => {
  if (thrown instanceof SandlotError) {
    return {
      code: thrown.code,
      message: thrown.message,
      details: thrown.details,
      next_action: thrown.nextAction,
      request_id: requestId,
    };
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'internal',
    message: `Sandlot failed in a way it did not expect: ${text}`,
    details: {},
    next_action: null,
    request_id: requestId,
  };
};
