// The error of work that was told to stop.
import { SandlotError } from '../base/errors.ts';

/** Made from whatever the interrupted work threw. */
export const cancelled = (message: string, cause: unknown): SandlotError => new SandlotError('cancelled', message, { cause });
