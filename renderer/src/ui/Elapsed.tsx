import { formatDuration } from './format.ts';
import { useNow } from './use-now.ts';

/** A duration: fixed when `durationMs` is known, running since `startedAt` while it is null. */
export const Elapsed = ({ startedAt, durationMs }: { startedAt: string | null; durationMs: number | null }) => {
  const isRunning = durationMs === null && startedAt !== null;
  const now = useNow(isRunning ? 100 : null);
  if (durationMs !== null) return <span className="num">{formatDuration(durationMs)}</span>;
  if (startedAt === null) return null;
  return <span className="num">{formatDuration(Math.max(0, now - Date.parse(startedAt)))}</span>;
};
