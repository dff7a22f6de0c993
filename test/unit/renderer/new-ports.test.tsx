// The sign on the Ports tab: what is new since it was last looked at, and that nobody looks where nothing was printed.
import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { NewPorts } from '../../../renderer/src/session/NewPorts.tsx';
import type { Session, Terminal } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const session = { id: 'ses_1', name: 'one', status: 'running' } as unknown as Session;
const terminal = { id: 'trm_1', session_id: 'ses_1', stream_id: 'str_1', created_at: '2026-12-01T00:00:00.000Z' } as unknown as Terminal;
const known = { sessions: { ses_1: session }, terminals: { trm_1: terminal } };
const portsOf = (...ports: number[]) => ({
  session_id: 'ses_1',
  listening: ports.map((port) => ({ port, addresses: ['127.0.0.1'], process: null, command: null })),
  forwards: [],
  trouble: null,
});
const answers = { 'ports.watch': () => ({ ok: true, value: { ...portsOf(), listening: null } }) };
const sign = () => document.querySelector('.tab-count')?.textContent ?? null;
const changed = (...ports: number[]) => ({ name: 'ports.changed', payload: portsOf(...ports) }) as never;
const grew = (stream_id: string) => ({ name: 'stream.grew', payload: { stream_id, size: 1, ended: false } }) as never;

beforeEach(() => sessionStorage.clear());

test('a port that begins to be listened at is counted until its tab is shown, and again when it ended and began anew', async () => {
  const away = await drawOver(<NewPorts session={session} isShown={false} />, known, answers);
  expect(sign()).toBe(null);
  await away.tell(changed(3000));
  expect(sign()).toBe('1');
  await away.tell(changed(3000, 4000));
  expect(sign()).toBe('2');
  const there = await drawOver(<NewPorts session={session} isShown />, known, answers);
  await there.tell(changed(3000, 4000));
  expect(sign()).toBe(null);
  const later = await drawOver(<NewPorts session={session} isShown={false} />, known, answers);
  await later.tell(changed(3000, 4000));
  expect(sign()).toBe(null);
  await later.tell(changed(4000));
  await later.tell(changed(3000, 4000));
  expect(sign()).toBe('1');
});

test('the host is asked when it is opened and when a terminal of this session prints, not by the clock and not each time', async () => {
  let now = 1_000;
  const clock = performance.now;
  performance.now = () => now;
  try {
    const { asked, tell } = await drawOver(<NewPorts session={session} isShown={false} />, known, answers);
    const count = () => asked.filter(({ name }) => name === 'ports.watch').length;
    expect(count()).toBe(1);
    await tell(grew('str_1'));
    expect(count()).toBe(1);
    now += 60_000;
    await tell(grew('str_of_another'));
    expect(count()).toBe(1);
    await tell(grew('str_1'));
    await tell(grew('str_1'));
    expect(count()).toBe(2);
  } finally {
    performance.now = clock;
  }
});

test('a session that does not run, and the tab itself, ask nothing', async () => {
  const stopped = await drawOver(<NewPorts session={{ ...session, status: 'stopped' }} isShown={false} />, known, answers);
  const shown = await drawOver(<NewPorts session={session} isShown />, known, answers);
  await act(async () => undefined);
  await shown.tell(grew('str_1'));
  expect([stopped.asked, shown.asked]).toEqual([[], []]);
});
