import { expect, test } from 'vitest';
import { createOutbox } from '../../../main/host/outbox.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';

const grew = (seq: number, stream: string, size: number): AppEvent => ({
  seq,
  name: 'stream.grew',
  payload: { stream_id: `str_${stream.repeat(26)}`, size, ended: false, from: 0, chunk: 'aaaa' },
});
const notice = (seq: number): AppEvent => ({ seq, name: 'notice', payload: { level: 'info', message: '' } });

/** A client that reads nothing until `read` is called. */
const slowClient = () => {
  const sent: { text: string; done: () => void }[] = [];
  let unsent = 0;
  let isClosed = false;
  const outbox = createOutbox({
    send: (text, done) => {
      sent.push({ text, done });
      unsent += text.length;
    },
    unsentBytes: () => unsent,
    close: () => {
      isClosed = true;
    },
  });
  return {
    outbox,
    seqs: () => sent.map(({ text }) => (JSON.parse(text) as { event?: AppEvent }).event?.seq ?? 'reply'),
    last: () => (JSON.parse(sent.at(-1)?.text ?? '') as { event: AppEvent }).event,
    isClosed: () => isClosed,
    read: () => {
      unsent = 0;
      for (const { done } of [...sent]) done();
    },
  };
};

const big = JSON.stringify('x'.repeat(2_000_000));

test('a client that keeps up gets every event at once, with its bytes', () => {
  const client = slowClient();
  client.outbox.event(grew(1, 'a', 3));
  client.outbox.event(grew(2, 'a', 6));
  expect([client.seqs(), client.last().payload]).toEqual([[1, 2], grew(2, 'a', 6).payload]);
});

test('a slow client gets the newest nudge of each stream and every other event, in the order of their numbers', () => {
  const client = slowClient();
  client.outbox.reply(big);
  for (const event of [grew(1, 'a', 3), notice(2), grew(3, 'b', 1), grew(4, 'a', 6), notice(5), grew(6, 'a', 9)])
    client.outbox.event(event);
  expect(client.seqs()).toEqual(['reply']);
  client.read();
  expect(client.seqs()).toEqual(['reply', 2, 3, 5, 6]);
  expect(client.last().payload).toEqual({ stream_id: `str_${'a'.repeat(26)}`, size: 9, ended: false });
});

test('a client that never reads is closed', () => {
  const client = slowClient();
  for (let count = 0; count < 20; count += 1) client.outbox.reply(big);
  expect(client.isClosed()).toBe(true);
});

test('ten thousand waiting events close the client, a million nudges of one stream do not', () => {
  const [nudged, flooded] = [slowClient(), slowClient()];
  nudged.outbox.reply(big);
  flooded.outbox.reply(big);
  for (let seq = 1; seq <= 100_000; seq += 1) nudged.outbox.event(grew(seq, 'a', seq));
  for (let seq = 1; seq <= 10_001; seq += 1) flooded.outbox.event(notice(seq));
  expect([nudged.isClosed(), flooded.isClosed()]).toEqual([false, true]);
});
