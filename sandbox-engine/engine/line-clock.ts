// Remembers when the lines of setup scripts began, so that what happened can be joined to the line that was running.

export interface LineClock {
  began: (runId: string, line: number, atMs: number) => void;
  /** The line that was running at this instant; null before the first, and for a run that nobody told of. */
  at: (runId: string, atMs: number) => number | null;
  newest: (runId: string) => number | null;
}

/** Runs that are remembered: more than ever run at once, so that what comes late still finds its line. */
const mostRuns = 32;

/** Makes the memory. */
export const createLineClock = (): LineClock => {
  const runs = new Map<string, { line: number; atMs: number }[]>();
  const last = (runId: string, atMs: number): number | null => runs.get(runId)?.findLast((one) => one.atMs <= atMs)?.line ?? null;
  return {
    began: (runId, line, atMs) => {
      const known = runs.get(runId) ?? [];
      known.push({ line, atMs });
      runs.set(runId, known);
      for (const id of runs.keys()) {
        if (runs.size <= mostRuns) break;
        runs.delete(id);
      }
    },
    at: last,
    newest: (runId) => last(runId, Number.POSITIVE_INFINITY),
  };
};
