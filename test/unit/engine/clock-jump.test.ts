// Durations while somebody sets the clock of the machine: an hour back or forward in the middle changes none of them.
import { expect, test } from 'vitest';
import type { Clock } from '../../../sandbox-engine/base/clock.ts';
import type { Build, Session, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { createBuildLog } from '../../../sandbox-engine/image/build-log.ts';
import { createSessionBook } from '../../../sandbox-engine/session/session-book.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { createLineTimes } from '../../../sandbox-engine/setup/line-times.ts';
import { createRunBook } from '../../../sandbox-engine/setup/run-book.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';

/** A clock of which `pass` lets real time pass and sets the time of day besides. */
const clockThatJumps = (jumpMs: number): { clock: Clock; pass: (ms: number) => void } => {
  let day = Date.UTC(2026, 9, 25, 1);
  let passed = 50;
  return {
    clock: { now: () => day, iso: () => new Date(day).toISOString(), monotonic: () => passed },
    pass: (ms) => {
      passed += ms;
      day += ms + jumpMs;
    },
  };
};

type Step = { duration_ms: number | null; started_at: string | null };
const timesOf = (steps: readonly Step[]) => steps.map((step) => [step.duration_ms, step.started_at?.endsWith('Z')]);

const hour = 3_600_000;

test.each([
  ['back', -hour],
  ['forward', hour],
])('Z-01: the clock is set %s by an hour, and what took 1.5 s still did', async (_way, jumpMs) => {
  const { clock, pass } = clockThatJumps(jumpMs);

  const build = { steps: [] as Build['steps'] } as Build;
  const log = createBuildLog({ build, clock, changed: () => undefined, stream: { append: async () => undefined } as never });
  log.begin('Base image');
  pass(1500);
  log.finish('succeeded');
  expect(timesOf(build.steps)).toEqual([[1500, true]]);

  const book = createRunBook({ phases: [] } as unknown as SetupRun, { save: async () => undefined }, clock, () => undefined);
  await book.begin('setup');
  const lines = createLineTimes(clock);
  lines.begin(3);
  pass(1500);
  lines.end();
  await book.finish('succeeded');
  expect(timesOf(book.now().phases)).toEqual([[1500, true]]);
  expect(lines.all()).toEqual([{ line: 3, duration_ms: 1500, count: 1 }]);

  const sessions = createSessionBook({
    ...{ clock, secrets: createRedactor([]), sessionStore: { save: async () => undefined, find: async () => null } },
    emit: { session: () => undefined },
  } as unknown as SessionDeps);
  await sessions.insert({ id: 'ses_1', steps: [] as Session['steps'], message: null } as Session);
  await sessions.step('ses_1', 'create', async () => pass(1500));
  expect(timesOf((await sessions.get('ses_1')).steps)).toEqual([[1500, true]]);
});
