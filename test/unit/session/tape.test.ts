import { expect, test } from 'vitest';
import type { Session, TapeEvent, TapeTerminal } from '../../../sandbox-engine/contract/model.ts';
import { castHeader, castLines, marksFor } from '../../../sandbox-engine/session/asciicast.ts';
import { linesOfChange, readJournal } from '../../../sandbox-engine/session/session-journal.ts';
import { readMarks, writeMark } from '../../../sandbox-engine/session/tape-index.ts';
import { cutFrames, sizesOf, unfinishedBytes } from '../../../sandbox-engine/session/tape-reader.ts';

const marks = [
  { atMs: 1_000, size: 0, cols: 80, rows: 24 },
  { atMs: 1_500, size: 5, cols: 80, rows: 24 },
  { atMs: 2_000, size: 5, cols: 100, rows: 30 },
  { atMs: 3_000, size: 11, cols: 100, rows: 30 },
];

test('moments that were written are read again, without half of one and without steps back', () => {
  const bytes = Buffer.concat([...marks.map(writeMark), writeMark({ ...marks[0]!, size: 1 }), Buffer.from([1, 2, 3])]);
  expect(readMarks(bytes)).toEqual(marks);
});

test('a screen has its sizes from the byte on that was printed for them; one for which nothing was is left out', () => {
  const resized = [...marks, { atMs: 4_000, size: 11, cols: 40, rows: 9 }, { atMs: 4_100, size: 11, cols: 120, rows: 40 }];
  expect(sizesOf(resized)).toEqual([
    { from: 0, cols: 80, rows: 24 },
    { from: 5, cols: 100, rows: 30 },
    { from: 11, cols: 120, rows: 40 },
  ]);
});

test.each([
  ['plain', 0],
  ['é', 0],
  [Buffer.from('é').subarray(0, 1), 1],
  [Buffer.from('a€').subarray(0, 3), 2],
  [Buffer.from('😀').subarray(0, 3), 3],
  [Buffer.from([0x80, 0x80, 0x80]), 0],
])('%j ends with %i bytes of a character', (text, wanted) => expect(unfinishedBytes(Buffer.from(text as string))).toBe(wanted));

test('output is cut at its moments, a new size between them, and a character that came in two pieces is whole', () => {
  const bytes = Buffer.from('abcd€ xyz!');
  expect(cutFrames(bytes, 0, marks, 1_000)).toEqual({
    frames: [
      { at_ms: 500, kind: 'output', text: 'abcd' },
      { at_ms: 1_000, kind: 'size', cols: 100, rows: 30 },
      { at_ms: 2_000, kind: 'output', text: '€ xyz' },
      { at_ms: 2_000, kind: 'output', text: '!' },
    ],
    used: 12,
  });
});

test('a later part begins where the one before ended', () => {
  const bytes = Buffer.from('abcdefghijk');
  const first = cutFrames(bytes.subarray(0, 7), 0, marks, 1_000);
  const second = cutFrames(bytes.subarray(first.used), first.used, marks, 1_000);
  expect([...first.frames, ...second.frames].map((frame) => (frame.kind === 'output' ? frame.text : 'size')).join('|')).toBe(
    'abcde|size|fg|hijk',
  );
});

const terminal: TapeTerminal = {
  ...{ terminal_id: 'trm_01k0000000000000000000000a', title: 'bash', cols: 80, rows: 24, size: 3, is_cut: false },
  ...{ from: '2026-11-30T10:00:00.000Z', to: '2026-11-30T10:00:05.000Z' },
};
const event = (at: string, label: string, of?: string): TapeEvent => ({
  ...{ at, kind: 'egress', tone: 'bad', label },
  ...(of === undefined ? {} : { terminal_id: of }),
});

test('an asciicast has a header, output, sizes, and what happened as markers in the order of time', () => {
  const events = [
    event('2026-11-30T09:59:00.000Z', 'before'),
    event('2026-11-30T10:00:01.000Z', 'blocked a'),
    event('2026-11-30T10:00:01.500Z', 'of another', 'trm_01k0000000000000000000000b'),
    event('2026-11-30T10:00:04.000Z', 'late'),
  ];
  const frames = [
    { at_ms: 0, kind: 'output' as const, text: 'a\u001b[0m"' },
    { at_ms: 2_500, kind: 'size' as const, cols: 100, rows: 30 },
  ];
  const tape = { session_id: 'ses_01k0000000000000000000000a', session_name: 'demo', from: '', to: '', terminals: [], events };
  const lines = [castHeader(tape, terminal), ...castLines(frames, marksFor(events, terminal))].map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    expect.objectContaining({ version: 2, width: 80, height: 24, timestamp: 1_796_032_800 }),
    [0, 'o', 'a\u001b[0m"'],
    [1, 'm', 'blocked a'],
    [2.5, 'r', '100x30'],
    [4, 'm', 'late'],
  ]);
});

test('lines of a journal that a kill cut, and what is no event, are left out', () => {
  const good = JSON.stringify({ at: '2026-11-30T10:00:00.000Z', kind: 'step', tone: 'ok', label: 'gate (1.0 s)' });
  expect(readJournal(`${good}\n{"at":"x"}\n${good.slice(0, 20)}`).map(({ label }) => label)).toEqual(['gate (1.0 s)']);
});

test('a session that did not change leaves no line', () => {
  const session = { status: 'running', message: null, steps: [], start_script: { status: 'none' }, observed: false } as never;
  expect(linesOfChange(session, session)).toEqual([]);
});

test('the steps of a launch are told in words, as its page tells them', () => {
  const step = (name: string, status: string, duration_ms: number | null) => ({
    name,
    status,
    duration_ms,
    started_at: null,
    message: null,
  });
  const steps = [
    step('gate', 'succeeded', 120),
    step('create', 'failed', 80),
    step('later', 'succeeded', null),
    step('files', 'running', null),
  ];
  const now = { status: 'starting', message: null, steps, start_script: { status: 'none' }, observed: false } as unknown as Session;
  expect(linesOfChange(null, now).map(({ label }) => label)).toEqual(['Network gate (0.1 s)', 'Step create failed', 'later', 'Launch']);
});
