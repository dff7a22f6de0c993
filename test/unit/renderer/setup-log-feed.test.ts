// The log of a run as it is pulled: in order, once, to its end, with each marker at a place that can be jumped to.
import { expect, onTestFinished, test, vi } from 'vitest';
import { keyNear } from '../../../renderer/src/environment/SetupLog.tsx';
import { type LogNews, noPlaces, setupLogFeed } from '../../../renderer/src/environment/setup-log-feed.ts';
import type { Ask } from '../../../renderer/src/store/store.ts';
import type { LogLine, SetupRun } from '../../../sandbox-engine/contract/model.ts';

const at = '2026-01-01T00:00:00.000Z';
const out = (seq: number, text: string): LogLine => ({ seq, at, stream: 'stdout', text, line: null });
const marker = (seq: number, line: number): LogLine => ({ seq, at, stream: 'marker', text: `line ${line}`, line });

type Answer = { lines: LogLine[]; status: SetupRun['status'] } | 'unreachable' | 'not_found';

/** Plays the answers to a sink until the feed has nothing more to ask. */
const play = async (answers: Answer[], isDone: (news: LogNews[]) => boolean = (news) => news.at(-1)?.isEnded === true) => {
  const asked: number[] = [];
  const told: string[] = [];
  const news: LogNews[] = [];
  const ask = (async (_name: string, { after = 0 }: { after?: number }) => {
    asked.push(after);
    const answer = answers[asked.length - 1] ?? 'not_found';
    if (typeof answer === 'string') return { ok: false, error: { code: answer === 'unreachable' ? 'host_unreachable' : answer } };
    const value = { ...answer, next_after: answer.lines.at(-1)?.seq ?? after, truncated: false };
    return { ok: true, value };
  }) as unknown as Ask;
  const places = noPlaces();
  const sink = {
    write: async (data: Uint8Array | string) => {
      for (const row of String(data)
        .replace(/\x1b\[[0-9;]*m/g, '')
        .trimEnd()
        .split('\r\n'))
        told.push(row.trim());
    },
    mark: (key: number) => void told.push(`mark ${key}`),
  };
  const stop = setupLogFeed({ ask, runId: 'run_1', places, onNews: (next) => news.push(next) })(sink);
  onTestFinished(stop);
  await vi.waitUntil(() => isDone(news) || (asked.length > answers.length && answers.length > 0), { timeout: 5000 });
  return { asked, told, news, places };
};

test('lines come in order and the log is asked for from where the last answer ended, until the run is over', async () => {
  const { asked, told } = await play([
    { lines: [marker(1, 1), out(2, 'a')], status: 'running' },
    { lines: [out(3, 'b'), marker(4, 2)], status: 'running' },
    { lines: [], status: 'failed' },
  ]);
  expect([asked, told]).toEqual([
    [0, 2, 4],
    ['mark 1', '1 ❯ line 1', 'a', 'b', 'mark 4', '2 ❯ line 2'],
  ]);
});

test('a page of few long lines is not taken for the last one, though the run is over', async () => {
  const { asked, told } = await play([
    { lines: [out(1, 'a')], status: 'succeeded' },
    { lines: [out(2, 'b')], status: 'succeeded' },
    { lines: [], status: 'succeeded' },
  ]);
  expect([asked, told]).toEqual([
    [0, 1, 2],
    ['a', 'b'],
  ]);
});

test('a host that cannot be reached is asked again, and no line is lost or shown twice', async () => {
  const { asked, told } = await play([
    { lines: [out(1, 'a')], status: 'running' },
    'unreachable',
    { lines: [out(2, 'b')], status: 'succeeded' },
    { lines: [], status: 'succeeded' },
  ]);
  expect([asked, told]).toEqual([
    [0, 1, 1, 2],
    ['a', 'b'],
  ]);
});

test('the line that runs now is the last marker that was seen', async () => {
  const { news } = await play([
    { lines: [marker(1, 7), marker(2, 9)], status: 'running' },
    { lines: [out(3, 'x')], status: 'succeeded' },
    { lines: [], status: 'succeeded' },
  ]);
  expect(news.map(({ currentLine, isEnded }) => [currentLine, isEnded])).toEqual([
    [9, false],
    [9, false],
    [9, true],
  ]);
});

test('a line inside a command leads to the marker of that command; one before the first marker leads nowhere', async () => {
  const { places } = await play([{ lines: [marker(1, 3), marker(2, 8), marker(3, 3)], status: 'succeeded' }]);
  expect([2, 3, 5, 8, 20].map((line) => keyNear(places, line))).toEqual([null, 3, 3, 2, 2]);
});
