// The log of one run, whole. Marker lines lead to their script line; a wished script line is looked up here.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useAsk } from '../store/actions.ts';
import type { FeedViewHandle } from '../ui/feed.ts';
import { LogView } from '../ui/LogView.tsx';
import type { LineWish } from './SetupScript.tsx';
import { type LogNews, type LogPlaces, setupLogFeed } from './setup-log-feed.ts';

interface SetupLogProps {
  runId: string;
  places: RefObject<LogPlaces>;
  wish: LineWish | null;
  onPickLine: (line: number) => void;
  onNews: (news: LogNews) => void;
}

/** The place of a script line: its own marker, or that of the command it belongs to; null when it was not run (yet). */
export const keyNear = ({ keyOfLine }: LogPlaces, line: number): number | null => {
  const before = [...keyOfLine.keys()].filter((known) => known <= line);
  const nearest = Math.max(...before);
  return keyOfLine.get(nearest) ?? null;
};

/** The log. It follows its end unless one has scrolled up. */
export const SetupLog = ({ runId, places, wish, onPickLine, onNews }: SetupLogProps) => {
  const ask = useAsk();
  const view = useRef<FeedViewHandle>(null);
  const wanted = useRef<LineWish | null>(null);
  const [news, setNews] = useState<LogNews | null>(null);
  const tell = useRef(onNews);
  tell.current = onNews;

  const tryWish = useRef(() => {
    const key = wanted.current && keyNear(places.current, wanted.current.line);
    if (key !== null && view.current?.scrollToMark(key)) wanted.current = null;
  });

  const feed = useMemo(
    () =>
      setupLogFeed({
        ask,
        runId,
        places: places.current,
        onNews: (next) => {
          setNews(next);
          tell.current(next);
          tryWish.current();
        },
      }),
    [ask, runId, places],
  );

  useEffect(() => {
    wanted.current = wish;
    if (wish) tryWish.current();
  }, [wish]);

  return (
    <div className="setup-log">
      <LogView
        key={runId}
        label="Setup log"
        hasGutter
        feed={feed}
        handle={view}
        onPickMark={(key) => {
          const line = places.current.lineOfKey.get(key);
          if (line !== undefined) onPickLine(line);
        }}
      />
      {news?.truncated && (
        <div className="setup-note" role="status">
          The log was cut at 4 MiB: its beginning is kept, later output is missing. Lines that were run are still marked.
        </div>
      )}
    </div>
  );
};
