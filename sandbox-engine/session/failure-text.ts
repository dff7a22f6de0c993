// What a session says of a failure: in its own words, because whoever reads it has a session before them, not containers.
import { SandlotError } from '../base/errors.ts';

/** The container that was to be the session's sandbox, or its gate. */
const container = /^Could not create container sandlot-(gate-)?ses_\w+: /;
const longDigest = /sha256:([0-9a-f]{12})[0-9a-f]{52}/g;

const inOwnWords = (message: string): string =>
  message.replace(container, (_all, gate?: string) => `The ${gate ? 'network gate' : 'sandbox'} was not made: `).replace(longDigest, '$1');

/** What failed, and in a line below what to do about it where that is known: what a session says of it. Pure. */
export const failureText = (thrown: unknown): string => {
  const message = inOwnWords((thrown as Error).message);
  return thrown instanceof SandlotError && thrown.nextAction !== null ? `${message}\n${thrown.nextAction}` : message;
};
