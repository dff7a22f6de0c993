// Translates what a daemon or its socket answered into our errors. Knows words and codes, not calls.
import { SandlotError } from '../base/errors.ts';
import { explainPodmanTrouble } from './podman-conf.ts';

/** What a refused call looks like when it comes out of the client library. */
interface DaemonFailure extends Error {
  code?: string;
  statusCode?: number;
  json?: unknown;
}

const goneCodes = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const deniedCodes = new Set(['EACCES', 'EPERM']);

/** The daemon's own words: its JSON message, else the plain text it sent. */
const daemonWords = (failure: DaemonFailure): string => {
  const json = failure.json;
  if (Buffer.isBuffer(json) && json.length > 0) return json.toString('utf8').trim();
  if (typeof json === 'object' && json !== null && 'message' in json && typeof json.message === 'string') return json.message.trim();
  // For streamed answers the library folds the words into its own sentence.
  const folded = /^\(HTTP code \d+\) [^-]* - ([\s\S]*)$/.exec(failure.message);
  return (folded?.[1] ?? failure.message).trim();
};

/** What a person can do about a container that a runtime refuses for what was asked of it. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /could not select device driver .*gpu|unresolvable CDI devices/i,
    'Switch the GPU off under Resources of the environment, or give the runtime one (for NVIDIA: its container toolkit).',
  ],
  [/minimum memory limit|memory limit .*too low/i, 'Give the environment more memory under Resources.'],
  [/cpu\.cfs_quota_us|cpu\.max|range of CPUs/i, 'Give the environment another number of processors under Resources.'],
];

const adviceFor = (words: string): { nextAction?: string } => {
  const found = refusals.find(([form]) => form.test(words));
  return found === undefined ? {} : { nextAction: found[1] };
};

/** Chooses the code for words that a daemon said in an answer or in a progress stream. */
export const errorFromWords = (what: string, words: string, details: Record<string, unknown> = {}, cause?: unknown): SandlotError => {
  const options = cause === undefined ? { details } : { details, cause };
  if (/no space left on device|disk quota exceeded/i.test(words)) {
    return new SandlotError('disk_full', `Could not ${what}: the runtime's disk is full (${words}).`, {
      ...options,
      nextAction: 'Free space on the disk of the runtime, for example with `sandlot prune`, then try again.',
    });
  }
  const trouble = explainPodmanTrouble(words);
  if (trouble === null) return new SandlotError('runtime_error', `Could not ${what}: ${words}`, { ...options, ...adviceFor(words) });
  const nextAction = `${trouble.fix}, then start the Podman service again.`;
  return new SandlotError('runtime_error', `Could not ${what}: ${trouble.message} (${words})`, { ...options, nextAction });
};

const socketError = (failure: DaemonFailure, what: string, address: string): SandlotError | null => {
  const code = failure.code ?? '';
  if (deniedCodes.has(code)) {
    return new SandlotError('runtime_permission_denied', `Could not ${what}: permission denied on ${address}.`, { cause: failure });
  }
  if (goneCodes.has(code) || failure.message === 'socket hang up') {
    const reason = code === '' ? failure.message : code;
    return new SandlotError('runtime_unavailable', `Could not ${what}: the runtime at ${address} does not answer (${reason}).`, {
      cause: failure,
      details: { code: reason },
    });
  }
  return null;
};

/** Turns anything a call to a daemon threw into our error. @param what begins with a verb: `start container abc`. */
export const toRuntimeError = (thrown: unknown, what: string, address: string, signal?: AbortSignal): SandlotError => {
  if (thrown instanceof SandlotError) return thrown;
  if (signal?.aborted === true) return new SandlotError('cancelled', `Cancelled: ${what}.`, { cause: thrown });
  const failure = (thrown instanceof Error ? thrown : new Error(String(thrown))) as DaemonFailure;
  if (failure.statusCode !== undefined) return errorFromWords(what, daemonWords(failure), { status: failure.statusCode }, thrown);
  return socketError(failure, what, address) ?? errorFromWords(what, failure.message, {}, thrown);
};

/** The HTTP status a daemon refused with, or null when it never came to that. */
export const statusOf = (thrown: unknown): number | null => {
  const status = thrown instanceof SandlotError ? thrown.details.status : undefined;
  return typeof status === 'number' ? status : null;
};
