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

/** Speaks the host's protocol over a WebSocket at `url`. A call made while the socket is away answers `host_unreachable`. */
export const createWebLink = (url: string, options: Options = {}): HostLink => {
  const open = options.open ?? ((address: string) => new WebSocket(address));
  const later = options.later ?? ((run, delayMs) => setTimeout(run, delayMs));
  const waiting = new Map<number, (reply: Reply<never>) => void>();
  const listeners = new Set<(event: AppEvent) => void>();
  const statusListeners = new Set<(status: LinkStatus) => void>();
  let socket: WebSocket | null = null;
  let status: LinkStatus = 'connecting';
  let attempt = 0;
  let lastId = 0;

  const tell = (next: LinkStatus) => {
    status = next;
    for (const listener of statusListeners) listener(next);
  };

  const receive = (text: string) => {
    const frame = JSON.parse(text) as Frame;
    if ('event' in frame) {
      for (const listener of listeners) listener(frame.event);
      return;
    }
    waiting.get(frame.id)?.(frame.reply as Reply<never>);
    waiting.delete(frame.id);
  };

  const lose = () => {
    socket = null;
    for (const answer of waiting.values()) answer(unreachable);
    waiting.clear();
    if (status === 'open') tell('lost');
    // Never opened at all after a few tries: most likely the token of this page is no longer good.
    else if (status === 'connecting' && attempt >= 3) tell('refused');
    later(connect, reconnectDelayMs(attempt));
    attempt += 1;
  };

  const connect = () => {
    const opened = open(url);
    opened.onopen = () => {
      socket = opened;
      attempt = 0;
      tell('open');
    };
    opened.onmessage = (message) => receive(String(message.data));
    opened.onclose = lose;
  };

  connect();
  return {
    call: async (name, input) => {
      const target = socket;
      if (!target) return unreachable;
      lastId += 1;
      const id = lastId;
      return await new Promise((resolve) => {
        waiting.set(id, resolve);
        target.send(JSON.stringify({ id, name, input }));
      });
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
