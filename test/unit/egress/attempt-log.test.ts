import { afterEach, expect, test } from 'vitest';
import type { Attempt } from '../../../sandbox-engine/contract/model/network.ts';
import { type AttemptLog, type AttemptNote, startAttemptLog } from '../../../sandbox-engine/egress/attempt-log.ts';

let log: AttemptLog | null = null;
afterEach(() => log?.stop());

const start = (): { log: AttemptLog; lines: Attempt[] } => {
  const lines: Attempt[] = [];
  let ids = 0;
  const started = startAttemptLog({
    emit: (batch) => void lines.push(...batch),
    newId: () => {
      ids += 1;
      return `att_${ids}`;
    },
    flushMs: 60_000,
  });
  log = started;
  return { log: started, lines };
};

const note = (more: Partial<AttemptNote> = {}): AttemptNote => ({
  ...{
    sandbox_id: 'ses_1',
    host: 'blocked.test',
    port: 443,
    protocol: 'tls',
    mode: 'transparent',
    verdict: 'blocked',
    reason: 'no_rule',
    rule: null,
  },
  ...{ detail: null, policy_revision: 1, bytes_sent: 0, bytes_received: 0, duration_ms: 0, startedAtMs: 0 },
  ...more,
});

const total = (lines: Attempt[]): number => lines.reduce((sum, { count }) => sum + count, 0);

test('alike ones that a line of a script may lie between are two', () => {
  const { log, lines } = start();
  log.note(note({ startedAtMs: 1_000 }));
  log.note(note({ startedAtMs: 1_060 }));
  log.flush();
  expect(lines.map(({ at, count }) => [Date.parse(at), count])).toEqual([
    [1_000, 1],
    [1_060, 1],
  ]);
});

test('alike ones of a moment are one line with their sum', () => {
  const { log, lines } = start();
  log.note(note({ bytes_sent: 1, duration_ms: 5 }));
  log.note(note({ bytes_sent: 2, duration_ms: 3 }));
  log.note(note({ port: 80 }));
  log.flush();
  expect(lines.map(({ port, count, bytes_sent, duration_ms }) => [port, count, bytes_sent, duration_ms])).toEqual([
    [443, 2, 3, 5],
    [80, 1, 0, 0],
  ]);
});

test('what differs in verdict, reason, rule of sandbox or revision is told apart', () => {
  const { log, lines } = start();
  for (const more of [{}, { sandbox_id: 'ses_2' }, { reason: 'no_sni' as const }, { policy_revision: 2 }, { mode: 'explicit' as const }])
    log.note(note(more));
  log.flush();
  expect(lines).toHaveLength(5);
});

test('J13: a flood of refused attempts to as many hosts is a few hundred lines, and none is lost', () => {
  const { log, lines } = start();
  for (let index = 0; index < 200_000; index += 1) log.note(note({ host: `h${index}.test` }));
  log.flush();
  expect(total(lines)).toBe(200_000);
  expect(lines.length).toBeLessThan(2_000);
  expect(lines.find(({ host }) => host === null)).toMatchObject({ port: null, reason: 'no_rule' });
});

test('a flood of one sandbox leaves the lines of another alone', () => {
  const { log, lines } = start();
  for (let index = 0; index < 10_000; index += 1) log.note(note({ host: `h${index}.test` }));
  log.note(note({ sandbox_id: 'ses_2' }));
  log.flush();
  expect(lines.filter(({ sandbox_id }) => sandbox_id === 'ses_2')).toMatchObject([{ host: 'blocked.test', count: 1 }]);
});

test('one that lasts is told of twice under one id', () => {
  const { log, lines } = start();
  const id = log.noteOpen(note({ verdict: 'allowed', reason: 'allowed', duration_ms: 7 })) ?? 'not told';
  log.note(note({ verdict: 'allowed', reason: 'allowed', duration_ms: 9, id }));
  log.flush();
  expect(lines.map((line) => [line.id === id, line.duration_ms])).toEqual([
    [true, null],
    [true, 9],
  ]);
});

test('one that lasts counts as a line too, so that many of them are no flood', () => {
  const { log, lines } = start();
  const ids = Array.from({ length: 1_000 }, () => log.noteOpen(note({ verdict: 'allowed', reason: 'allowed' })));
  log.flush();
  expect(lines.length).toBeLessThan(600);
  expect(ids.at(-1)).toBeNull();
});

test('however much of a sandbox is blocked, where it got through is told', () => {
  const { log, lines } = start();
  for (let index = 0; index < 2_000; index += 1) log.note(note({ host: `h${index}.test` }));
  const passed = { verdict: 'allowed', reason: 'allowed', rule: 0, bytes_sent: 5 } as const;
  expect(log.noteOpen(note({ ...passed, host: 'first.test' }))).not.toBeNull();
  log.note(note({ ...passed, host: 'second.test' }));
  log.flush();
  expect(lines.filter(({ verdict }) => verdict === 'allowed').map(({ host }) => host)).toEqual(['first.test', 'second.test']);
});
