// The log of a setup run as StreamView shows it: marker lines stand out and carry the script's line number.
import type { LogLine, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { Ask } from '../store/store.ts';
import type { Feed } from '../ui/StreamView.tsx';

const isOver = (status: SetupRun['status']) => status === 'succeeded' || status === 'failed' || status === 'cancelled';

/** One log line with its colours: markers dim with their line number, stderr red, our own words in italics. */
export const paintLine = ({ stream, text, line }: LogLine): string => {
  if (stream === 'marker') return `\x1b[34m${String(line ?? '').padStart(4)} │\x1b[0m \x1b[1m${text}\x1b[0m\r\n`;
  if (stream === 'system') return `\x1b[2;3m     · ${text}\x1b[0m\r\n`;
  return stream === 'stderr' ? `       \x1b[31m${text}\x1b[0m\r\n` : `       ${text}\r\n`;
};

/** Pages the log of a run into a view and follows it until the run is over. */
export const setupLogFeed =
  (ask: Ask, runId: string): Feed =>
  (sink) => {
    let isClosed = false;
    const follow = async () => {
      let after = 0;
      while (!isClosed) {
        const reply = await ask('setup_runs.logs', { setup_run_id: runId, after, limit: 1000, wait_seconds: 5 });
        if (isClosed || !reply.ok) return;
        for (const line of reply.value.lines) {
          if (line.stream === 'marker' && line.line !== null) sink.mark(line.line);
          await sink.write(paintLine(line));
        }
        after = reply.value.next_after;
        if (reply.value.lines.length > 0 || !isOver(reply.value.status)) continue;
        if (reply.value.truncated) await sink.write('\x1b[2;3m     · The log was cut here: it is kept up to 4 MiB.\x1b[0m\r\n');
        return;
      }
    };
    void follow();
    return () => {
      isClosed = true;
    };
  };
