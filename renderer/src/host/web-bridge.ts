// The browser door as the renderer sees it: one WebSocket that carries calls, their replies and the host's events.
// It opens the socket again with growing delay; what was missed meanwhile comes with the next snapshot, not from here.
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { HostLink, LinkStatus } from './client.ts';

type Frame = { id: number; reply: Reply<unknown> } | { event: AppEvent };

/** Milliseconds to wait before try number `attempt` (from 0): 250 ms, doubled each time, at most 5 s. */
export const reconnectDelayMs = (attempt: number): number => Math.min(5000, 250 * 2 ** Math.min(attempt, 10));

const unreachable: Reply<never> = {
  ok: false,
  error: {
    code: 'host_unreachable',
    message: 'The host could not be reached, so nothing was changed.',
    details: {},
    next_action: 'Wait until Sandlot has reconnected, then try again. If it stays away, start the host again with `sandlot serve`.',
    request_id: '',
  },
};

interface Options {
  open?: (url: string) => WebSocket;
  later?: (run: () => void, delayMs: number) => void;
}

/** Calls that wait for their reply. */
const createCallBook = () => {
  const waiting = new Map<number, (reply: Reply<never>) => void>();
  let lastId = 0;
  return {
    add: (answer: (reply: Reply<never>) => void): number => {
      lastId += 1;
      waiting.set(lastId, answer);
      return lastId;
    },
    answer: (id: number, reply: Reply<unknown>) => {
      waiting.get(id)?.(reply as Reply<never>);
      waiting.delete(id);
    },
    giveUp: () => {
      for (const answer of waiting.values()) answer(unreachable);
      waiting.clear();
    },
  };
};

/** Keeps one socket open; `onText` gets what arrives, `onStatus` how it stands. Answers the socket while it is open. */
const keepOpen = (url: string, options: Options, onText: (text: string) => void, onStatus: (status: LinkStatus) => void) => {
  const open = options.open ?? ((address: string) => new WebSocket(address));
  const later = options.later ?? ((run, delayMs) => setTimeout(run, delayMs));
  let socket: WebSocket | null = null;
  let wasOpen = false;
  let attempt = 0;

  const lose = () => {
    if (socket) onStatus('lost');
    // Never opened at all after a few tries: most likely this page came without a valid token.
    else if (!wasOpen && attempt >= 3) onStatus('refused');
    socket = null;
    later(connect, reconnectDelayMs(attempt));
    attempt += 1;
  };
  const connect = () => {
    const opened = open(url);
    opened.onopen = () => {
      socket = opened;
      wasOpen = true;
      attempt = 0;
      onStatus('open');
    };
    opened.onmessage = (message) => onText(String(message.data));
    opened.onclose = lose;
  };
  connect();
  return () => socket;
};

/** Speaks the host's protocol over a WebSocket at `url`. A call made while the socket is away answers `host_unreachable`. */
export const createWebLink = (url: string, options: Options = {}): HostLink => {
  const book = createCallBook();
  const listeners = new Set<(event: AppEvent) => void>();
  const statusListeners = new Set<(status: LinkStatus) => void>();
  let status: LinkStatus = 'connecting';

  const receive = (text: string) => {
    const frame = JSON.parse(text) as Frame;
    if ('event' in frame) for (const listener of listeners) listener(frame.event);
    else book.answer(frame.id, frame.reply);
  };
  const tell = (next: LinkStatus) => {
    status = next;
    if (next !== 'open') book.giveUp();
    for (const listener of statusListeners) listener(next);
  };
  const socket = keepOpen(url, options, receive, tell);

  return {
    call: async (name, input) => {
      const target = socket();
      if (!target) return unreachable;
      return await new Promise((resolve) => target.send(JSON.stringify({ id: book.add(resolve), name, input })));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onStatus: (listener) => {
      statusListeners.add(listener);
      listener(status);
      return () => void statusListeners.delete(listener);
    },
  };
};
