// An image registry wants a login that nobody gave, or has refused the one it got: said before the pull or by the runtime that pulls.
// Registries say the same of an image that is not there, so that nobody learns which private ones exist.
// Source: SPEC.md 3 (Custom bases, `PullSecretError`).
import { SandlotError } from '../base/errors.ts';
import type { ImageReference } from '../recipe/reference.ts';

const words =
  /unauthorized|authentication required|no basic auth credentials|access (?:to the resource is )?denied|incorrect username or password/i;

/** The error for a registry that answered so. */
export const loginWanted = (
  { registry, canonical }: Pick<ImageReference, 'registry' | 'canonical'>,
  said: string,
  options: { cause?: unknown; details?: Record<string, unknown> } = {},
): SandlotError =>
  new SandlotError('PullSecretError', `The registry ${registry} asks for a login, or has no such image: "${canonical}" (${said}).`, {
    ...options,
    nextAction:
      "Check the spelling of the reference and its tag. If the image is private, pull it with the runtime's own client, which knows your login: " +
      'an image that is there is taken as it is.',
  });

/** What a pull threw, as that error where the runtime passes on that a login is wanted; else unchanged. */
export const pullTrouble = (reference: Pick<ImageReference, 'registry' | 'canonical'>, thrown: unknown): unknown =>
  thrown instanceof SandlotError && thrown.code === 'runtime_error' && words.test(thrown.message)
    ? loginWanted(reference, thrown.message, { cause: thrown, details: thrown.details })
    : thrown;
