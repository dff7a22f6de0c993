import { SandlotError } from '../base/errors.ts';

/** What failed, and in a line below what to do about it where that is known: what a session says of it. Pure. */
export const failureText = (thrown: unknown): string => {
  const { message } = thrown as Error;
  return thrown instanceof SandlotError && thrown.nextAction !== null ? `${message}\n${thrown.nextAction}` : message;
};
