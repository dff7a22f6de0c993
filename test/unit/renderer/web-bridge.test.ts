import { expect, test } from 'vitest';
import type { LinkStatus } from '../../../renderer/src/host/client.ts';
import { createWebLink, reconnectDelayMs } from '../../../renderer/src/host/web-bridge.ts';

const fakeSockets = () => {
  const opened: {
    sent: string[];
    send: (text: string) => void;
    onopen?: () => void;
    onclose?: () => void;
    onmessage?: (message: { data: string }) => void;
  }[] = [];
  const later: { run: () => void; delayMs: number }[] = [];
  const link = createWebLink('ws://x', {
    open: () => {
      const sent: string[] = [];
      const socket = { sent, send: (text: string) => void sent.push(text) };
      opened.push(socket);
      return socket as unknown as WebSocket;
    },
    later: (run, delayMs) => void later.push({ run, delayMs }),
  });
  return { link, opened, later };
};

test.each([
  [0, 250],
  [1, 500],
  [4, 4000],
  [5, 5000],
  [60, 5000],
])('before try %i it waits %i ms', (attempt, delay) => expect(reconnectDelayMs(attempt)).toBe(delay));

test('replies reach their own call whatever their order', async () => {
  const { link, opened } = fakeSockets();
  opened[0]?.onopen?.();
  const [first, second] = [link.call('templates.list', {}), link.call('bases.list', {})];
  const answer = (id: number, value: unknown) => opened[0]?.onmessage?.({ data: JSON.stringify({ id, reply: { ok: true, value } }) });
  answer(2, 'two');
  answer(1, 'one');
  expect([await first, await second]).toEqual([
    { ok: true, value: 'one' },
    { ok: true, value: 'two' },
  ]);
});

test('a call under way when the host goes away answers host_unreachable, and the socket is opened again', async () => {
  const { link, opened, later } = fakeSockets();
  const told: LinkStatus[] = [];
  link.onStatus((status) => told.push(status));
  opened[0]?.onopen?.();
  const call = link.call('templates.list', {});
  opened[0]?.onclose?.();
  later.shift()?.run();
  opened[1]?.onopen?.();
  expect({ told, reply: await call }).toMatchObject({
    told: ['connecting', 'open', 'lost', 'open'],
    reply: { ok: false, error: { code: 'host_unreachable' } },
  });
});
