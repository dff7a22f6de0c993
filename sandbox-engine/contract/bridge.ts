// What a client holds in its hand, whatever door it came through: one function to call, one to listen.
import type { CallInput, CallName, CallOutput } from './calls.ts';
import type { ErrorBody } from './errors.ts';
import type { AppEvent } from './events.ts';

/** Failure is a value on the wire. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorBody };

export interface Bridge {
  call: <N extends CallName>(name: N, input: CallInput<N>) => Promise<Reply<CallOutput<N>>>;
  /** The returned function ends it. */
  subscribe: (listener: (event: AppEvent) => void) => () => void;
}

/** The names of the two channels of the Electron door. */
export const callChannel = 'sandlot:call';
export const eventChannel = 'sandlot:event';

/** What the Electron door answers by itself, on the channel for calls: `{ folder }`, a whole path or null. No other door has it. */
export const chooseFolderCall = 'door.choose_folder';
