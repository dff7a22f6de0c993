// Runs one instrumented script in a container to its end: log lines and markers out, exit code, failing line and times back.
// Leaves the container to its caller; what the script left running is named and ended, so that it is in no image.
import type { Clock } from '../base/clock.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { SetupRun } from '../contract/model.ts';
import type { LineLog } from '../stream/line-log.ts';
import type { Redactor } from '../stream/redact.ts';
import { feederCommand } from './feeder.ts';
import { type Failure, findFailure } from './find-failure.ts';
import type { InstrumentedScript } from './instrument.ts';
import { createLastOutput, type LastOutput } from './last-output.ts';
import { createLineTimes } from './line-times.ts';
import { createMarkerClock, type MarkerClock } from './marker-clock.ts';
import { createFrameReader, type FrameReader, type SetupEvent } from './marker-frames.ts';
import { createStderrTail } from './stderr-tail.ts';
import type { BlockedTeller } from './tell-blocked.ts';

export interface ScriptRun {
  runtime: ContainerRuntime;
  containerId: string;
  instrumented: InstrumentedScript;
  log: LineLog;
  clock: Clock;
  timeoutMs: number;
  redactor: Redactor;
  signal: AbortSignal;
  /** A marked line began at this time of the host's clock. */
  onLine?: (line: number, atMs: number) => void;
  /** Says between the lines what was blocked. */
  blocked?: Pick<BlockedTeller, 'look' | 'before'>;
}

export interface ScriptEnd {
  exitCode: number;
  failure: Failure | null;
  stderrTail: string;
  /** What the last line that ran has printed, and before it. */
  lastOutput: LastOutput & { runTail: string };
  lineTimes: SetupRun['line_times'];
  timedOut: boolean;
}

interface Seen {
  markerIndex: number;
  reports: string;
  exitCode: number | null;
}

const quietMs = 2_000;
/** Characters of reports: what the feeder keeps of them, percent-encoded. */
const mostReports = 65_536;
/** Bytes of output that may be on their way to the disk before more is read. */
const mostUnderway = 262_144;

const later = (ms: number, signal: AbortSignal): Promise<'time'> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve('time'), ms);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });

const aborted = (signal: AbortSignal): Promise<'cancelled'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('cancelled');
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });

interface Followed {
  run: ScriptRun;
  seen: Seen;
  tail: ReturnType<typeof createStderrTail>;
  last: ReturnType<typeof createLastOutput>;
  times: ReturnType<typeof createLineTimes>;
  timeOf: MarkerClock;
  reader: FrameReader;
  /** What is not in the log yet, in its order; null while nothing waits. */
  waiting: Waiting[] | null;
}

/** Goes into the log when it was looked for what has to stand before it. */
interface Waiting {
  looked: Promise<void> | null;
  write: () => void;
}

/** What is known as soon as it comes, its times above all. */
const see = ({ run, seen, tail, last, times, timeOf }: Followed, event: SetupEvent): void => {
  if (event.kind === 'report') seen.reports = (seen.reports + event.text).slice(-mostReports);
  if (event.kind === 'end') seen.exitCode = event.exitCode;
  if (event.kind === 'output') {
    if (event.stream === 'stderr') tail.push(event.bytes);
    last.push(event.stream, event.bytes);
  }
  const marker = event.kind === 'marker' ? run.instrumented.markers[event.index] : undefined;
  if (event.kind !== 'marker' || marker === undefined) return;
  seen.markerIndex = event.index;
  last.begin();
  times.begin(marker.line);
  run.onLine?.(marker.line, timeOf(event.atMs, run.clock.now()));
};

/** Puts it into the log at once; resolves when it is written. */
const write = async ({ log, blocked, instrumented }: ScriptRun, event: SetupEvent): Promise<unknown> => {
  if (event.kind === 'output') return await log.append(event.stream, event.bytes);
  const marker = event.kind === 'marker' ? instrumented.markers[event.index] : undefined;
  if (marker === undefined) return undefined;
  const notes = blocked?.before(marker.line) ?? [];
  return await Promise.all([...notes.map(log.system), log.mark(marker.line, marker.text)]);
};

const isMarker = ({ kind }: SetupEvent): boolean => kind === 'marker';

const writeWaiting = async (followed: Followed, waiting: Waiting[]): Promise<void> => {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    if (next.looked !== null) await next.looked;
    waiting.shift();
    next.write();
  }
  followed.waiting = null;
};

/** Takes what came, in its order; resolves when it is written. Before a line begins in the log stands what was blocked at those before it. */
const take = (followed: Followed, events: readonly SetupEvent[]): Promise<unknown> => {
  const { run } = followed;
  for (const event of events) see(followed, event);
  const looked = events.some(isMarker) ? (run.blocked?.look() ?? null) : null;
  // Not waited for each: a thousand quick commands are a few writes to the disk, not a thousand.
  const writeAll = () => Promise.all(events.map((event) => write(run, event)));
  // What need not wait is not kept for a moment: hundreds of megabytes would else be in the memory of the host until it is cleared up.
  if (looked === null && followed.waiting === null) return writeAll();
  return new Promise((resolve) => {
    const one: Waiting = { looked, write: () => resolve(writeAll()) };
    if (followed.waiting !== null) followed.waiting.push(one);
    else {
      followed.waiting = [one];
      void writeWaiting(followed, followed.waiting);
    }
  });
};

const takeRest = (followed: Followed): Promise<unknown> => take(followed, followed.reader.flush());

/** How long the runtime may take to know that the feeder has ended. */
const endMs = 10_000;

/** What the runtime knows, not what the output says: a script can print what it likes. Where nothing is known it has not passed. */
const exitCodeOf = async (handle: ExecHandle, { exitCode: said }: Seen, signal: AbortSignal): Promise<number> => {
  const known = await Promise.race([handle.exitCode(), later(endMs, signal)]);
  return typeof known === 'number' ? known : said || 255;
};

/** Ends with the script, not with what it left running: that may hold the output open for ever. Answers the exit code. */
const follow = async (followed: Followed, handle: ExecHandle, signal: AbortSignal): Promise<number> => {
  let underway = 0;
  for await (const chunk of handle.output) {
    const taken = take(followed, followed.reader.push(chunk));
    underway += chunk.bytes.length;
    const isOver = followed.seen.exitCode !== null;
    // A full disk fails the next that is waited for as well, at the latest the last.
    if (underway < mostUnderway && !isOver) taken.catch(() => undefined);
    else {
      underway = 0;
      await taken;
    }
    // Whoever leaves this loop lets go of the feeder, and the runtime may end it.
    if (isOver) return await exitCodeOf(handle, followed.seen, signal);
  }
  await takeRest(followed);
  return await exitCodeOf(handle, followed.seen, signal);
};

const startFeeder = async ({ runtime, containerId, instrumented }: ScriptRun): Promise<ExecHandle> => {
  const env = ['DEBIAN_FRONTEND=noninteractive'];
  const handle = await runtime.exec(containerId, { command: [...feederCommand], env, workdir: workspace, stdin: true });
  handle.stdin.on('error', () => undefined);
  handle.stdin.write(instrumented.input);
  return handle;
};

const keepersOf = ({ redactor, clock }: ScriptRun): Pick<Followed, 'tail' | 'last' | 'times'> => ({
  tail: createStderrTail(redactor),
  last: createLastOutput(redactor),
  times: createLineTimes(clock),
});

/** By the line that failed, or by all of the script. What is on stdout otherwise is no complaint: a test's report quotes many. */
const sendsErrorsToStdout = (script: string, command: string): boolean =>
  /2>&1|\|&|&>/.test(command) || /\bexec\b[^\n]*(?:2>&1|&>)/.test(script);

const codeFor = { time: 124, cancelled: 130 } as const;

/** Runs the script. An aborted signal ends the container and answers with exit code 130. @throws disk_full @throws stream_broken */
export const runScript = async (run: ScriptRun): Promise<ScriptEnd> => {
  const { runtime, containerId, instrumented, clock, signal } = run;
  const seen: Seen = { markerIndex: -1, reports: '', exitCode: null };
  const reader = createFrameReader(instrumented.nonce);
  const timeOf = createMarkerClock(clock.now());
  const followed: Followed = { run, seen, reader, timeOf, waiting: null, ...keepersOf(run) };
  const over = new AbortController();
  const handle = await startFeeder(run);
  const following = follow(followed, handle, over.signal);
  following.catch(() => undefined);
  try {
    const first = await Promise.race([following, later(run.timeoutMs, over.signal), aborted(signal)]);
    if (typeof first !== 'number') {
      await runtime.killContainer(containerId);
      await Promise.race([following.catch(() => undefined), later(quietMs, over.signal)]);
      await takeRest(followed);
    }
    followed.times.end();
    const exitCode = typeof first === 'number' ? first : codeFor[first];
    const stderrTail = followed.tail.text();
    const said = followed.last.end();
    const failure = exitCode === 0 ? null : findFailure(instrumented, { ...seen, exitCode, stderrTail: said.stderrTail });
    const stdoutTail = sendsErrorsToStdout(instrumented.script, failure?.command ?? '') ? said.stdoutTail : '';
    const lastOutput = { stderrTail: said.stderrTail, stdoutTail, runTail: stderrTail };
    return { exitCode, failure, stderrTail, lastOutput, lineTimes: followed.times.all(), timedOut: first === 'time' };
  } finally {
    over.abort();
    handle.close();
  }
};
