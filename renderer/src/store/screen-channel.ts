// A session's screen as a socket: what a viewer sends and gets goes by calls, so it takes whatever door the page has. One read is under way at
// a time, and the next follows when the viewer has taken its bytes: a slow viewer holds the screen back and nothing else.
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { base64FromBytes, bytesFromBase64 } from './base64.ts';
import { createKeyQueue } from './key-queue.ts';
import type { Ask } from './store.ts';

/** What a viewer holds in its hand; it sets the handlers. Plain fields, as viewers look for them. */
export interface ScreenChannel {
  binaryType: string;
  protocol: string;
  readyState: 'connecting' | 'open' | 'closing' | 'closed';
  onopen: (() => void) | null;
  onmessage: ((message: { data: ArrayBuffer }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send: (data: ArrayBuffer | Uint8Array) => void;
  close: () => void;
  /** Why it closed, when the host said so. */
  failure: ErrorBody | null;
}

const nonsense: ErrorBody = {
  ...{ code: 'stream_broken', message: 'The screen said something that makes no sense.', details: {}, request_id: '' },
  next_action: 'Restart the session if it stays so.',
};

const copyOf = (data: ArrayBuffer | Uint8Array): Uint8Array => new Uint8Array(data).slice();

/** Opens the screen of a session; the handlers may be set in the same turn. */
export const openScreenChannel = (ask: Ask, sessionId: string): ScreenChannel => {
  let screenId: string | null = null;
  const isOver = (): boolean => channel.readyState === 'closed';

  const over = (failure: ErrorBody | null): void => {
    if (isOver()) return;
    channel.readyState = 'closed';
    channel.failure = failure;
    if (screenId !== null) void ask('screen.close', { screen_id: screenId });
    channel.onclose?.({ code: failure === null ? 1000 : 1011, reason: failure?.message ?? '' });
  };

  const type = createKeyQueue(async (bytes) => {
    if (screenId === null || isOver()) return false;
    return (await ask('screen.write', { screen_id: screenId, data: base64FromBytes(bytes) })).ok;
  });

  /** A viewer throws at what makes no sense: then it is over. */
  const show = (bytes: Uint8Array): boolean => {
    try {
      if (bytes.length > 0) channel.onmessage?.({ data: bytes.buffer as ArrayBuffer });
    } catch {
      over(nonsense);
    }
    return !isOver();
  };

  /** Hands over what has come; answers whether more may. */
  const readOnce = async (id: string): Promise<boolean> => {
    const reply = await ask('screen.read', { screen_id: id });
    if (!reply.ok) over(reply.error);
    if (!reply.ok || isOver()) return false;
    const bytes = bytesFromBase64(reply.value.data);
    if (!show(bytes)) return false;
    if (reply.value.ended) over(null);
    return !isOver();
  };

  const open = async (): Promise<void> => {
    const reply = await ask('screen.open', { session_id: sessionId });
    if (!reply.ok) return over(reply.error);
    screenId = reply.value.screen_id;
    // Closed while it was being opened.
    if (isOver()) return void ask('screen.close', { screen_id: screenId });
    channel.readyState = 'open';
    channel.onopen?.();
    while (await readOnce(screenId));
  };

  const channel: ScreenChannel = {
    ...{ binaryType: 'arraybuffer', protocol: '', readyState: 'connecting', failure: null },
    ...{ onopen: null, onmessage: null, onclose: null, onerror: null },
    send: (data) => type(copyOf(data)),
    close: () => over(null),
  };
  void open();
  return channel;
};
