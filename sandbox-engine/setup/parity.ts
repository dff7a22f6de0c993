// The same setup on several runtimes, one after the other, as one matrix with the first line that differs.
import type { SetupRun } from '../contract/model.ts';
import { readLinePage } from '../stream/line-page.ts';
import type { StreamStore } from '../stream/stream.ts';

export interface ParityReport {
  rows: {
    runtime: string;
    status: SetupRun['status'];
    exit_code: number | null;
    failed_line: number | null;
    duration_ms: number;
    image_size: number | null;
    message: string | null;
  }[];
  /** `index` counts the lines of stdout from 0. */
  first_difference: { index: number; lines: Record<string, string | null> } | null;
}

const stdoutOf = async (streams: StreamStore, id: string): Promise<string[]> => {
  const lines: string[] = [];
  for (let after = 0; ; ) {
    const page = await readLinePage(streams, id, { after, limit: 2000 });
    if (page.lines.length === 0) return lines;
    for (const { stream, text } of page.lines) if (stream === 'stdout') lines.push(text);
    after = page.nextAfter;
  }
};

const firstDifference = (outputs: Map<string, string[]>): ParityReport['first_difference'] => {
  const all = [...outputs];
  const longest = Math.max(0, ...all.map(([, lines]) => lines.length));
  for (let index = 0; index < longest; index += 1) {
    const row = all.map(([runtime, lines]): [string, string | null] => [runtime, lines[index] ?? null]);
    if (new Set(row.map(([, text]) => text)).size > 1) return { index, lines: Object.fromEntries(row) };
  }
  return null;
};

const setupMs = (run: SetupRun): number => run.phases.find(({ phase }) => phase === 'setup')?.duration_ms ?? 0;

/** Runs on one runtime after the other; `runOn` resolves with the finished run. */
export const compareRuns = async (
  runtimeIds: string[],
  streams: StreamStore,
  runOn: (runtimeId: string) => Promise<SetupRun>,
): Promise<ParityReport> => {
  const rows: ParityReport['rows'] = [];
  const outputs = new Map<string, string[]>();
  for (const runtime of runtimeIds) {
    const run = await runOn(runtime);
    outputs.set(runtime, await stdoutOf(streams, run.stream_id));
    const { status, exit_code, failed_line, prepared_image_size: image_size, hint: message } = run;
    rows.push({ runtime, status, exit_code, failed_line, duration_ms: setupMs(run), image_size, message });
  }
  return { rows, first_difference: firstDifference(outputs) };
};
