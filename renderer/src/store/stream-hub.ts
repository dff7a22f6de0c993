// Hands the host's `stream.grew` nudges to whoever shows that stream; bytes never go through the state.
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { HostLink } from '../host/client.ts';
import { bytesFromBase64 } from './base64.ts';

/** What is known of a stream's growth; `chunk` are its newest bytes, which begin at `from`. */
export interface Growth {
  size: number;
  ended: boolean;
  from?: number;
  chunk?: Uint8Array;
}

export interface StreamSlice {
  bytes: Uint8Array;
  from: number;
  next: number;
  start: number;
  size: number;
  ended: boolean;
}

/** One stream as a viewer needs it. `null` to a watcher means: something may have been missed, look again. */
export interface StreamSource {
  id: string;
  read: (from: number, maxBytes: number) => Promise<StreamSlice | null>;
  watch: (listener: (growth: Growth | null) => void) => () => void;
}

export interface StreamHub {
  source: (streamId: string) => StreamSource;
  deliver: (event: AppEvent) => void;
  /** After a reconnect: every viewer looks again. */
  lookAgain: () => void;
}

/** Makes the hub that the store feeds with events. */
export const createStreamHub = (link: HostLink): StreamHub => {
  const watchers = new Map<string, Set<(growth: Growth | null) => void>>();

  const watch = (streamId: string, listener: (growth: Growth | null) => void) => {
    const known = watchers.get(streamId) ?? new Set();
    watchers.set(streamId, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0) watchers.delete(streamId);
    };
  };

  const read = async (streamId: string, from: number, maxBytes: number): Promise<StreamSlice | null> => {
    const reply = await link.call('stream.read', { stream_id: streamId, from, max_bytes: maxBytes });
    if (!reply.ok) return null;
    const { data, ...rest } = reply.value;
    return { ...rest, bytes: bytesFromBase64(data) };
  };

  return {
    source: (streamId) => ({
      id: streamId,
      read: async (from, maxBytes) => await read(streamId, from, maxBytes),
      watch: (listener) => watch(streamId, listener),
    }),
    deliver: (event) => {
      if (event.name !== 'stream.grew') return;
      const { stream_id, size, ended, from, chunk } = event.payload;
      const growth: Growth = { size, ended, ...(from !== undefined && chunk !== undefined && { from, chunk: bytesFromBase64(chunk) }) };
      for (const listener of watchers.get(stream_id) ?? []) listener(growth);
    },
    lookAgain: () => {
      for (const listeners of watchers.values()) for (const listener of listeners) listener(null);
    },
  };
};
