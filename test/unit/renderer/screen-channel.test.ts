// A session's screen as a socket over calls: what a viewer may rely on.
import { expect, test } from 'vitest';
import { base64FromBytes } from '../../../renderer/src/store/base64.ts';
import { openScreenChannel } from '../../../renderer/src/store/screen-channel.ts';
import type { Ask } from '../../../renderer/src/store/store.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const data = (text: string) => base64FromBytes(new TextEncoder().encode(text));
const textOf = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);

/** A host that gives these pieces, and then waits. */
const hostOf = (pieces: { data: string; ended: boolean }[], refused: object | null = null) => {
  const asked: [string, unknown][] = [];
  const ask = (async (name: string, input: unknown) => {
    asked.push([name, input]);
    if (name === 'screen.open') return refused ? { ok: false, error: refused } : { ok: true, value: { screen_id: 'scr_1' } };
    if (name !== 'screen.read') return { ok: true, value: { ok: true } };
    const piece = pieces.shift();
    return piece ? { ok: true, value: piece } : await new Promise(() => undefined);
  }) as unknown as Ask;
  return { ask, asked, called: (name: string) => asked.filter(([one]) => one === name).map(([, input]) => input) };
};

test('it opens, hands over what comes in order, and closes when the screen does', async () => {
  const host = hostOf([
    { data: data('RFB '), ended: false },
    { data: '', ended: false },
    { data: data('003.008'), ended: true },
  ]);
  const heard: string[] = [];
  const channel = openScreenChannel(host.ask, 'ses_1');
  channel.onopen = () => heard.push('open');
  channel.onmessage = ({ data: bytes }) => heard.push(textOf(bytes));
  channel.onclose = ({ code }) => heard.push(`closed ${code}`);
  await settle();
  expect([heard, channel.readyState, host.called('screen.close')]).toEqual([
    ['open', 'RFB ', '003.008', 'closed 1000'],
    'closed',
    [{ screen_id: 'scr_1' }],
  ]);
});

test('what is sent is copied at once, because the viewer uses its buffer again', async () => {
  const host = hostOf([]);
  const channel = openScreenChannel(host.ask, 'ses_1');
  await settle();
  const buffer = new TextEncoder().encode('first');
  channel.send(buffer);
  buffer.fill(0x78);
  channel.send(buffer);
  await settle();
  expect(host.called('screen.write')).toEqual([
    { screen_id: 'scr_1', data: data('first') },
    { screen_id: 'scr_1', data: data('xxxxx') },
  ]);
});

test('a refusal is its end, and says why', async () => {
  const host = hostOf([], { code: 'not_found', message: 'The image of this session has no desktop.' });
  const channel = openScreenChannel(host.ask, 'ses_1');
  let reason = '';
  channel.onclose = (event) => {
    reason = event.reason;
  };
  await settle();
  expect([channel.readyState, reason, channel.failure?.code]).toEqual(['closed', 'The image of this session has no desktop.', 'not_found']);
});

test('one that is closed while it is being opened leaves nothing open', async () => {
  const host = hostOf([]);
  openScreenChannel(host.ask, 'ses_1').close();
  await settle();
  expect([host.called('screen.close'), host.called('screen.read')]).toEqual([[{ screen_id: 'scr_1' }], []]);
});

test('a viewer that throws at what it is handed ends the connection, and the host is told', async () => {
  const host = hostOf([{ data: data('nonsense'), ended: false }]);
  const channel = openScreenChannel(host.ask, 'ses_1');
  channel.onmessage = () => {
    throw new Error('Receive queue buffer exceeded');
  };
  await settle();
  expect([channel.readyState, channel.failure?.code, host.called('screen.close')]).toEqual([
    'closed',
    'stream_broken',
    [{ screen_id: 'scr_1' }],
  ]);
});
