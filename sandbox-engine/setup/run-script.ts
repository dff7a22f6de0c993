// Runs one instrumented script in a container to its end: log lines and markers out, exit code, failing line and times back.
// Leaves the container to its caller; what the script left running is named and ended, so that it is in no image.
import type { Clock } from '../base/clock.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import type { SetupRun } from '../contract/model.ts';
import type { LineLog } from '../stream/line-log.ts';
import { feederCommand } from './feeder.ts';
import { type Failure, findFailure } from './find-failure.ts';
import type { InstrumentedScript } from './instrument.ts';
import { createLineTimes } from './line-times.ts';
import { createFrameReader, type SetupEvent } from './marker-frames.ts';
import { createStderrTail } from './stderr-tail.ts';

export interface ScriptRun {
  runtime: ContainerRuntime;
  containerId: string;
  instrumented: InstrumentedScript;
  log: LineLog;
  clock: Clock;
  timeoutMs: number;
  redactText: (text: string) => string;
  signal: AbortSignal;
}

export interface ScriptEnd {
  exitCode: number;
  failure: Failure | null;
  stderrTail: string;
  lineTimes: SetupRun['line_times'];
  timedOut: boolean;
}

interface Seen {
  markerIndex: number;
  reports: string;
  exitCode: number | null;
}

const quietMs = 2_000;

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

/** Runs the script. An aborted signal ends the container and answers with exit code 130. @throws disk_full @throws stream_broken */
export const runScript = async (run: ScriptRun): Promise<ScriptEnd> => {
  const { runtime, containerId, instrumented, log, clock, signal } = run;
  const seen: Seen = { markerIndex: -1, reports: '', exitCode: null };
  const tail = createStderrTail();
  const times = createLineTimes(clock);
  const reader = createFrameReader(instrumented.nonce);
  const over = new AbortController();

  const take = async (event: SetupEvent): Promise<void> => {
    if (event.kind === 'output') {
      if (event.stream === 'stderr') tail.push(event.bytes);
      await log.append(event.stream, event.bytes);
    } else if (event.kind === 'marker') {
      const marker = instrumented.markers[event.index];
      if (marker === undefined) return;
      seen.markerIndex = event.index;
      times.begin(marker.line);
      await log.mark(marker.line, marker.text);
    } else if (event.kind === 'report') seen.reports = event.text;
    else seen.exitCode = event.exitCode;
  };

  const follow = async (handle: ExecHandle): Promise<'ended'> => {
    for await (const chunk of handle.output) {
      for (const event of reader.push(chunk)) await take(event);
      if (seen.exitCode !== null) return 'ended';
    }
    for (const event of reader.flush()) await take(event);
    return 'ended';
  };

  const exec = { command: [...feederCommand], env: ['DEBIAN_FRONTEND=noninteractive'], workdir: '/workspace', stdin: true };
  const handle = await runtime.exec(containerId, exec);
  handle.stdin.on('error', () => undefined);
  handle.stdin.write(instrumented.input);
  const following = follow(handle);
  following.catch(() => undefined);
  try {
    const first = await Promise.race([following, later(run.timeoutMs, over.signal), aborted(signal)]);
    if (first !== 'ended') {
      await runtime.killContainer(containerId);
      await Promise.race([following.catch(() => undefined), later(quietMs, over.signal)]);
      for (const event of reader.flush()) await take(event);
    }
    times.end();
    const exitCode = first === 'time' ? 124 : first === 'cancelled' ? 130 : (seen.exitCode ?? (await handle.exitCode()) ?? 255);
    const stderrTail = tail.text(run.redactText);
    const failure = exitCode === 0 ? null : findFailure(instrumented, { ...seen, exitCode, stderrTail });
    return { exitCode, failure, stderrTail, lineTimes: times.all(), timedOut: first === 'time' };
  } finally {
    over.abort();
    handle.close();
  }
};
