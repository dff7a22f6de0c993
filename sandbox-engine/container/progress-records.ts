// The progress records of pull, import and load: JSON lines in an answer with HTTP 200, the failure being one of them.
import { SandlotError } from '../base/errors.ts';
import type { DockerConnection } from './docker-connection.ts';
import { errorFromWords, toRuntimeError } from './docker-errors.ts';
import { readJsonLines } from './json-lines.ts';

export interface ProgressRecord {
  id?: string;
  stream?: string;
  status?: string;
  progress?: string;
  error?: string;
  errorDetail?: { message?: string; code?: number };
  aux?: unknown;
}

/** The daemon's words of failure in a record, or null. */
export const failureIn = (record: ProgressRecord): string | null => record.errorDetail?.message || record.error || null;

/** Reads records to the end. @throws runtime_error or disk_full with the words of a record, runtime_unavailable on a cut connection. */
export async function* readProgress(
  source: AsyncIterable<Buffer>,
  connection: DockerConnection,
  what: string,
  signal?: AbortSignal,
): AsyncGenerator<ProgressRecord> {
  try {
    for await (const record of readJsonLines<ProgressRecord>(source)) {
      const words = failureIn(record);
      if (words !== null) throw errorFromWords(what, words.trim());
      yield record;
    }
  } catch (thrown) {
    throw toRuntimeError(thrown, what, connection.address, signal);
  }
  if (signal?.aborted) throw new SandlotError('cancelled', `Cancelled: ${what}.`);
}
