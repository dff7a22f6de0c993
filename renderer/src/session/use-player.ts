// Plays frames on a screen: forwards as time goes by, anywhere at once. Going back paints from the beginning.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TapeFrame, TapeTerminal } from '../../../sandbox-engine/contract/model.ts';
import type { Feed, Sink } from '../ui/feed.ts';
import { playedAt, type TapeTime } from './tape-time.ts';

export const speeds = [0.5, 1, 2, 4, 8] as const;

const show = (sink: Sink, frames: readonly TapeFrame[]): void => {
  let text = '';
  const flush = (): void => {
    if (text !== '') void sink.write(text);
    text = '';
  };
  for (const frame of frames) {
    if (frame.kind === 'output') text += frame.text;
    else {
      flush();
      sink.resize?.(frame.cols, frame.rows);
    }
  }
  flush();
};

/** Paints a screen as it was at any moment; answers the feed by which it gets the screen. */
const usePaint = (terminal: TapeTerminal, frames: readonly TapeFrame[], time: TapeTime, atMs: number) => {
  const sink = useRef<Sink | null>(null);
  const shown = useRef(0);
  const paint = useCallback(
    (toMs: number) => {
      if (sink.current === null) return;
      const wanted = playedAt(time.times, toMs);
      if (wanted < shown.current) {
        sink.current.reset?.();
        sink.current.resize?.(terminal.cols, terminal.rows);
        shown.current = 0;
      }
      show(sink.current, frames.slice(shown.current, wanted));
      shown.current = wanted;
    },
    [frames, time, terminal.cols, terminal.rows],
  );
  const latest = useRef({ atMs, paint });
  latest.current = { atMs, paint };
  const feed: Feed = useMemo(
    () => (opened) => {
      sink.current = opened;
      shown.current = 0;
      opened.resize?.(terminal.cols, terminal.rows);
      latest.current.paint(latest.current.atMs);
      return () => {
        sink.current = null;
      };
    },
    [terminal.cols, terminal.rows],
  );
  return { feed, paint, latest };
};

/** The player of one terminal's tape. `feed` is what the screen shows. */
export const usePlayer = (terminal: TapeTerminal, frames: readonly TapeFrame[], time: TapeTime) => {
  const [atMs, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const { feed, paint, latest } = usePaint(terminal, frames, time, atMs);

  const seek = useCallback(
    (toMs: number) => {
      const bounded = Math.max(0, Math.min(time.durationMs, toMs));
      setAt(bounded);
      paint(bounded);
    },
    [paint, time.durationMs],
  );

  useEffect(() => {
    if (!isPlaying) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const next = latest.current.atMs + (now - before) * speed;
      before = now;
      latest.current.atMs = next;
      if (next >= time.durationMs) setPlaying(false);
      seek(next);
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, seek, time.durationMs, latest]);

  const toggle = () => {
    if (!isPlaying && atMs >= time.durationMs) seek(0);
    setPlaying(!isPlaying);
  };
  return { feed, atMs, isPlaying, speed, setSpeed, seek, toggle };
};
