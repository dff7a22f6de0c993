// The story of one build as it happens: its steps with their times, and its log as a stream. Tells the registry and the clients.
import type { Clock } from '../base/clock.ts';
import type { BuildEvent } from '../container/container-runtime.ts';
import type { Build, BuildStep } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';

export interface BuildLog {
  /** Begins a step by name; the step before it ends as succeeded when it still runs. */
  begin: (name: string) => void;
  /** Ends the running step. */
  finish: (status: 'succeeded' | 'failed' | 'cached' | 'cancelled') => void;
  line: (text: string) => void;
  /** Takes what the runtime reports; `names[i]` is the step of Dockerfile instruction i + 1, null for one of ours. */
  onBuildEvent: (event: BuildEvent, names: (string | null)[]) => void;
  /** The step that runs or ran last. */
  current: () => BuildStep | null;
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

const seconds = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms / 1000)} s`);

/** Makes the log of a build; it changes `build.steps` in place, because one build has one writer. */
export const createBuildLog = ({ build, stream, clock, changed }: BuildLogDeps): BuildLog => {
  let current: BuildStep | null = null;
  let startedAt = 0;
  let pending: Promise<void> = Promise.resolve();

  const write = (bytes: Uint8Array): void => {
    pending = stream.append(bytes);
    // A full disk must not end the build: its result matters more than its log, and the store reports it once by itself.
    pending.catch(() => undefined);
  };
  const line = (text: string): void => write(Buffer.from(`${text}\n`));

  const finish: BuildLog['finish'] = (status) => {
    if (current === null || current.status !== 'running') return;
    current.status = status;
    current.duration_ms = clock.monotonic() - startedAt;
    const took = status === 'cached' ? 'cached' : `${status} in ${seconds(current.duration_ms)}`;
    line(`\u001b[2m── ${current.name}: ${took}\u001b[0m`);
    changed(build);
  };

  const begin: BuildLog['begin'] = (name) => {
    if (current?.name === name && current.status === 'running') return;
    finish('succeeded');
    const step = build.steps.find((one) => one.name === name && one.status === 'waiting');
    current = step ?? { index: build.steps.length, name, status: 'waiting', started_at: null, duration_ms: null };
    if (step === undefined) build.steps.push(current);
    current.status = 'running';
    current.started_at = clock.iso();
    startedAt = clock.monotonic();
    line(`\u001b[1m── ${name}\u001b[0m`);
    changed(build);
  };

  return {
    begin,
    finish,
    line,
    current: () => current,
    flush: () => pending.catch(() => undefined),
    onBuildEvent: (event, names) => {
      if (event.kind === 'log') return write(event.bytes);
      const name = names[event.index - 1] ?? null;
      if (name === null) return;
      if (event.kind === 'step') begin(name);
      else if (current?.name === name) finish(outcome(event));
    },
  };
};
