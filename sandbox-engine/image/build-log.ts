// The story of one build as it happens: its steps with their times, and its log as a stream. Tells the registry and the clients.
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { BuildEvent } from '../container/container-runtime.ts';
import type { Build, BuildStep } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { stepFailure } from './build-record.ts';
import { isHeadline, readableHeadline } from './headline.ts';

export interface BuildLog {
  /** Begins a step by name; the step before it ends as succeeded when it still runs. */
  begin: (name: string) => void;
  /** Ends the running step. */
  finish: (status: 'succeeded' | 'failed' | 'cached' | 'cancelled') => void;
  line: (text: string) => void;
  /** Takes what the runtime reports; `names[i]` is the step of Dockerfile instruction i + 1, null for one of ours, `texts[i]` what it says. */
  onBuildEvent: (event: BuildEvent, names: (string | null)[], texts?: readonly string[]) => void;
  /** The step that runs or ran last. */
  current: () => BuildStep | null;
  /** The last few lines that it printed, of stderr where that is known, without colours; null when it printed none. */
  lastWords: () => string | null;
  flush: () => Promise<void>;
}

interface BuildLogDeps {
  build: Build;
  stream: StreamWriter;
  clock: Clock;
  /** Called after each change of a step. */
  changed: (build: Build) => void;
}

const outcome = (event: { failed: boolean; cached: boolean }): 'failed' | 'cached' | 'succeeded' => {
  if (event.failed) return 'failed';
  return event.cached ? 'cached' : 'succeeded';
};

/** As the list of steps says it, too. */
const seconds = (ms: number): string => {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
};

const keptTail = 2_000;
const longestWords = 300;
const fewLines = 3;

/** Pure. */
const lastLinesOf = (tail: string): string[] =>
  stripVTControlCharacters(tail)
    .split(/[\r\n]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '')
    .slice(-fewLines)
    .map((line) => line.slice(0, longestWords));

/** The end of what a step printed. */
const createTail = () => {
  let [tail, errors] = ['', ''];
  return {
    clear: () => {
      [tail, errors] = ['', ''];
    },
    /** Answers whether it belongs into the log: a runtime says once more which command failed, all of it, and the step tells that. */
    hear: ({ index, bytes, isError }: Extract<BuildEvent, { kind: 'log' }>): boolean => {
      const text = Buffer.from(bytes).toString('utf8');
      if (index !== null && !isHeadline(text)) tail = `${tail}${text}`.slice(-keptTail);
      if (index !== null && isError === true) errors = `${errors}${text}`.slice(-keptTail);
      return index !== null || stepFailure(text) === null;
    },
    /** Why it failed: what stderr said last where that is known, or else all that it printed. */
    lastWords: (): string | null => {
      const [complaints, lines] = [lastLinesOf(errors), lastLinesOf(tail)];
      return (complaints.length > 0 ? complaints : lines).join('\n') || null;
    },
  };
};

/** How a step ended, as a line of the log. Found again by its mark, also by those who do not see the colour. */
const endLine = (status: BuildStep['status'], words: string, said: string | null): string =>
  status === 'failed'
    ? `\u001b[31m✗ ${said === null ? words : `${words}\n${said.replace(/^/gm, '  ')}`}\u001b[0m`
    : `\u001b[2m── ${words}\u001b[0m`;

/** A step behind the one that ran last, or at the end; those after it move on by one. */
const insertAfter = (steps: BuildStep[], last: BuildStep | null, name: string): BuildStep => {
  const step: BuildStep = { index: 0, name, status: 'waiting', started_at: null, duration_ms: null };
  const place = last === null ? -1 : steps.indexOf(last);
  steps.splice(place < 0 ? steps.length : place + 1, 0, step);
  for (const [index, one] of steps.entries()) one.index = index;
  return step;
};

const readable = ({ index, bytes }: Extract<BuildEvent, { kind: 'log' }>, texts: readonly string[]): Buffer => {
  const headline = readableHeadline(bytes.toString('utf8'), texts[(index ?? 0) - 1]);
  return headline === null ? bytes : Buffer.from(headline);
};

/** A full disk must not end the build: its result matters more than its log, and the store reports it once by itself. */
const createPen = (stream: StreamWriter) => {
  let pending: Promise<void> = Promise.resolve();
  const write = (bytes: Uint8Array): void => {
    pending = stream.append(bytes).catch(() => undefined);
  };
  return { write, line: (text: string): void => write(Buffer.from(`${text}\n`)), flush: () => pending };
};

type StepEvent = Exclude<BuildEvent, { kind: 'log' } | { kind: 'again' }>;

/** The steps of these names are still to come. */
const waitAgain = (steps: readonly BuildStep[], names: readonly (string | null)[]): void => {
  for (const step of steps) if (names.includes(step.name)) Object.assign(step, { status: 'waiting', started_at: null, duration_ms: null });
};

const againLine =
  '\u001b[2m── Another image was removed meanwhile, and Podman gave up: it builds once more, with what it has kept.\u001b[0m';

/** Makes the log of a build; it changes `build.steps` in place, because one build has one writer. */
export const createBuildLog = ({ build, stream, clock, changed }: BuildLogDeps): BuildLog => {
  let current: BuildStep | null = null;
  let startedAt = 0;
  const tail = createTail();
  const { write, line, flush } = createPen(stream);

  const finish: BuildLog['finish'] = (status) => {
    if (current === null || current.status !== 'running') return;
    current.status = status;
    current.duration_ms = clock.monotonic() - startedAt;
    const took = status === 'cached' ? 'cached' : `${status} in ${seconds(current.duration_ms)}`;
    line(endLine(status, `${current.name}: ${took}`, tail.lastWords()));
    changed(build);
  };

  const begin: BuildLog['begin'] = (name) => {
    if (current?.name === name && current.status === 'running') return;
    finish('succeeded');
    current = build.steps.find((one) => one.name === name && one.status === 'waiting') ?? insertAfter(build.steps, current, name);
    current.status = 'running';
    [current.started_at, startedAt] = [clock.iso(), clock.monotonic()];
    tail.clear();
    line(`\u001b[1m── ${name}\u001b[0m`);
    changed(build);
  };

  const step = (event: StepEvent, name: string | null): void => {
    if (name === null) return;
    if (event.kind === 'step') begin(name);
    else if (current?.name === name) finish(outcome(event));
  };

  const again = (names: (string | null)[]): void => {
    waitAgain(build.steps, names);
    current = null;
    line(againLine);
    changed(build);
  };

  return {
    begin,
    finish,
    line,
    current: () => current,
    lastWords: tail.lastWords,
    flush,
    onBuildEvent: (event, names, texts = []) => {
      if (event.kind === 'log') return tail.hear(event) ? write(readable(event, texts)) : undefined;
      if (event.kind === 'again') return again(names);
      step(event, names[event.index - 1] ?? null);
    },
  };
};
