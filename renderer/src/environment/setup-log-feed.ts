// Pulls the lines of one setup run into the log view until the run has ended, and remembers where each script line is in it.
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { LogLine, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { Ask } from '../store/store.ts';
import type { Feed, Sink } from '../ui/feed.ts';
import { logLineText } from './setup-log-lines.ts';

const linesPerPage = 2000;
/** The longest wait that a call may ask for. Source: SPEC.md 5. */
const waitSeconds = 5;
const retryMs = 1000;
/** An empty answer that did not wait must not be asked for again at once: the log is complete, the run is still cleaning up. */
const idleMs = 400;
/** A mark follows its line through the scrollback at some cost for each line that scrolls out; a loop must not make thousands. */
const maxRepeatedMarks = 2000;

export interface LogNews {
  /** The script line whose command was begun last. */
  currentLine: number | null;
  truncated: boolean;
  isEnded: boolean;
}

/** Script lines and where their markers are: the key of a mark is the sequence number of its log line. */
export interface LogPlaces {
  /** The last place that can be jumped to, by script line. */
  keyOfLine: Map<number, number>;
  lineOfKey: Map<number, number>;
}

/** No places yet. */
export const noPlaces = (): LogPlaces => ({ keyOfLine: new Map(), lineOfKey: new Map() });

const remember = (places: LogPlaces, sink: Sink, { seq, line }: LogLine): void => {
  if (line === null) return;
  if (places.keyOfLine.has(line) && places.lineOfKey.size >= maxRepeatedMarks) return;
  sink.mark(seq);
  places.keyOfLine.set(line, seq);
  places.lineOfKey.set(seq, line);
};

/** Writes a page: what stands between two markers goes in one piece, since a mark names the line that is written next. */
const writePage = async (lines: readonly LogLine[], places: LogPlaces, sink: Sink): Promise<void> => {
  let text = '';
  for (const line of lines) {
    if (line.stream === 'marker') {
      if (text !== '') await sink.write(text);
      text = '';
      remember(places, sink, line);
    }
    text += logLineText(line);
  }
  if (text !== '') await sink.write(text);
};

const isOver = (status: SetupRun['status']): boolean => status === 'succeeded' || status === 'failed' || status === 'cancelled';

const pause = async (milliseconds: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, milliseconds));

interface FeedOptions {
  ask: Ask;
  runId: string;
  places: LogPlaces;
  onNews: (news: LogNews) => void;
}

type Page = CallOutput<'setup_runs.logs'>;

/** The next page, waited for at the host; null when the run is gone. Without the host it tries again until `isClosed`. */
const nextPage = async ({ ask, runId }: FeedOptions, after: number, isClosed: () => boolean): Promise<Page | null> => {
  while (!isClosed()) {
    const askedAt = performance.now();
    const reply = await ask('setup_runs.logs', { setup_run_id: runId, after, limit: linesPerPage, wait_seconds: waitSeconds });
    if (!reply.ok && reply.error.code === 'not_found') return null;
    const isEmpty = reply.ok && reply.value.lines.length === 0 && !isOver(reply.value.status);
    if (reply.ok && !isEmpty) return reply.value;
    if (!reply.ok) await pause(retryMs);
    else if (performance.now() - askedAt < idleMs) await pause(idleMs);
  }
  return null;
};

const follow = async (options: FeedOptions, sink: Sink, isClosed: () => boolean): Promise<void> => {
  const { places, onNews } = options;
  places.keyOfLine.clear();
  places.lineOfKey.clear();
  let currentLine: number | null = null;
  let page = await nextPage(options, 0, isClosed);
  while (page && !isClosed()) {
    await writePage(page.lines, places, sink);
    currentLine = page.lines.findLast((line) => line.stream === 'marker')?.line ?? currentLine;
    // A short page is not the last one: pages of long lines hold few of them.
    const isEnded = isOver(page.status) && page.lines.length === 0;
    if (!isClosed()) onNews({ currentLine, truncated: page.truncated, isEnded });
    page = isEnded ? null : await nextPage(options, page.next_after, isClosed);
  }
};

/** The feed of one run's log. It waits at the host for new lines, at most five seconds a call. */
export const setupLogFeed =
  (options: FeedOptions): Feed =>
  (sink) => {
    let isClosed = false;
    void follow(options, sink, () => isClosed);
    return () => {
      isClosed = true;
    };
  };
