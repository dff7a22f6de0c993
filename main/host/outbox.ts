// What waits to be sent to one client. A slow client gets fewer nudges, in order, and is closed when it never reads.
// Bytes of streams are pulled, so an older `stream.grew` of the same stream may be forgotten for a newer one.
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';

/** Above this many unsent bytes nudges are merged. */
const mergeAboveBytes = 1_048_576;
/** Above this many unsent bytes the client is given up. */
const closeAboveBytes = 33_554_432;

export interface Outlet {
  /** Sends one message; `done` is called when it has left, or failed to. */
  send: (text: string, done: () => void) => void;
  /** Bytes accepted by `send` that have not left yet. */
  unsentBytes: () => number;
  close: () => void;
}

export interface Outbox {
  reply: (text: string) => void;
  event: (event: AppEvent) => void;
}

const texts = new WeakMap<AppEvent, string>();

/** The message that carries an event; written once however many clients there are. */
const eventText = (event: AppEvent): string => {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify({ event });
  texts.set(event, text);
  return text;
};

const withoutChunk = (event: AppEvent): AppEvent => {
  if (event.name !== 'stream.grew') return event;
  const { stream_id, size, ended } = event.payload;
  return { ...event, payload: { stream_id, size, ended } };
};

/** Makes the outbox of one client. */
export const createOutbox = (outlet: Outlet): Outbox => {
  const waiting = new Map<string, AppEvent>();

  const flush = (): void => {
    for (const [key, event] of waiting) {
      if (outlet.unsentBytes() >= mergeAboveBytes) return;
      waiting.delete(key);
      outlet.send(eventText(event), flush);
    }
  };

  const post = (text: string): void => {
    if (outlet.unsentBytes() + text.length > closeAboveBytes) outlet.close();
    else outlet.send(text, flush);
  };

  const hold = (event: AppEvent): void => {
    const key = event.name === 'stream.grew' ? event.payload.stream_id : `event ${event.seq}`;
    waiting.delete(key);
    waiting.set(key, withoutChunk(event));
    if (waiting.size > 10_000) outlet.close();
  };

  return {
    reply: post,
    event: (event) => {
      if (waiting.size > 0 || outlet.unsentBytes() >= mergeAboveBytes) hold(event);
      else post(eventText(event));
    },
  };
};
