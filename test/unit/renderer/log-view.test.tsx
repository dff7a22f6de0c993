import { act, createRef } from 'react';
import { expect, test } from 'vitest';
import type { FeedViewHandle, Sink } from '../../../renderer/src/ui/feed.ts';
import { LogView } from '../../../renderer/src/ui/LogView.tsx';
import { draw } from './drawn.tsx';

const rows = (): string[] => [...document.querySelectorAll('.log-row')].map((row) => row.textContent ?? '');
const frame = async () => await act(async () => await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

test('of a log of 100,000 lines the last are drawn, and any other when it is wished for', async () => {
  const writer: { sink?: Sink } = {};
  const handle = createRef<FeedViewHandle>();
  const picked: number[] = [];
  const feed = (sink: Sink) => {
    writer.sink = sink;
    return () => undefined;
  };
  draw(<LogView label="Log" feed={feed} handle={handle} onPickMark={(key) => picked.push(key)} />);
  const all = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
  await act(async () => {
    writer.sink?.mark(7);
    await writer.sink?.write(`${all.join('\n')}\n`);
  });
  await frame();
  expect([rows().at(-1), rows().length < 100]).toEqual(['line 99999', true]);

  act(() => void handle.current?.find('line 50000'));
  expect(document.querySelector('.is-current')?.textContent).toBe('line 50000');

  act(() => void handle.current?.scrollToMark(7));
  document.querySelector<HTMLElement>('.log-mark')?.click();
  expect([rows()[0], picked, handle.current?.scrollToMark(8)]).toEqual(['line 0', [7], false]);
});
