// The newest attempts of setup runs, kept in mind because the marker of a line may arrive after what the line tried: those that were made
// since belong to it.
import type { KeptAttempt } from '../contract/model.ts';

/** A line of a setup script, and when it began. */
export interface LateLine {
  runId: string;
  line: number;
  atMs: number;
}

export interface RecentAttempts {
  add: (kept: readonly KeptAttempt[]) => void;
  /** Whether anything was tried since the line began. */
  isTouched: (line: LateLine) => boolean;
  /** Those that were made since the line began, with it as their cause. */
  joinTo: (line: LateLine) => KeptAttempt[];
}

interface Known {
  attempt: KeptAttempt;
  atMs: number;
}

const mostKept = 500;

const isSince = ({ attempt, atMs }: Known, line: LateLine): boolean => atMs >= line.atMs && attempt.setup_run_id === line.runId;

/** Makes the memory of one host; it is bounded, and what falls out of it keeps the cause that it has. */
export const createRecentAttempts = (): RecentAttempts => {
  let known: Known[] = [];
  return {
    add: (kept) => {
      const ofRuns = kept.filter(({ setup_run_id }) => setup_run_id !== null);
      if (ofRuns.length === 0) return;
      const ids = new Set(ofRuns.map(({ id }) => id));
      const others = known.filter(({ attempt }) => !ids.has(attempt.id));
      known = [...others, ...ofRuns.map((attempt) => ({ attempt, atMs: Date.parse(attempt.at) }))].slice(-mostKept);
    },
    isTouched: (line) => known.some((one) => isSince(one, line)),
    joinTo: (line) => {
      const joined = known.filter((one) => isSince(one, line));
      for (const one of joined) one.attempt = { ...one.attempt, cause: { kind: 'setup_line', line: line.line } };
      return joined.map(({ attempt }) => attempt);
    },
  };
};
