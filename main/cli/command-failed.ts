// How a command of the command line ends early: with the error a person reads, and the code the shell gets.
import { randomBytes } from 'node:crypto';
import type { ErrorBody, ErrorCode } from '../../sandbox-engine/contract/errors.ts';
import { SandlotError, toErrorBody } from '../../sandbox-engine/index.ts';
import { exitCodeOf } from './exit-codes.ts';

export interface Failure {
  error: ErrorBody;
  exitCode: number;
}

const failures = new WeakMap<Error, Failure>();

/** An error to throw that carries what the host answered. */
export const callFailed = (error: ErrorBody, exitCode: number = exitCodeOf(error.code)): SandlotError => {
  const thrown = new SandlotError(error.code, error.message, {
    details: error.details,
    ...(error.next_action === null ? {} : { nextAction: error.next_action }),
  });
  failures.set(thrown, { error, exitCode });
  return thrown;
};

/** An error of the command line itself. */
export const refused = (code: ErrorCode, message: string, nextAction?: string): SandlotError =>
  new SandlotError(code, message, nextAction === undefined ? {} : { nextAction });

/** What to print and which code to end with, for anything thrown. */
export const failureOf = (thrown: unknown): Failure => {
  const known = thrown instanceof Error ? failures.get(thrown) : undefined;
  if (known !== undefined) return known;
  const error = toErrorBody(thrown, `req_${randomBytes(13).toString('hex')}`);
  return { error, exitCode: exitCodeOf(error.code) };
};
