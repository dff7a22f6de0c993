import { expect, test } from 'vitest';
import type { Clock } from '../../../sandbox-engine/base/clock.ts';
import type { BuildEvent } from '../../../sandbox-engine/container/container-runtime.ts';
import type { Build } from '../../../sandbox-engine/contract/model.ts';
import { createBuildLog } from '../../../sandbox-engine/image/build-log.ts';
import type { StreamWriter } from '../../../sandbox-engine/stream/stream.ts';

const clock: Clock = { now: () => 0, iso: () => '2026-01-01T00:00:00.000Z', monotonic: () => 0 };

test('a build that a runtime begins once more has each of its steps once, and the log says why', () => {
  const waiting = { status: 'waiting', started_at: null, duration_ms: null } as const;
  const build = { steps: ['base', 'one', 'two'].map((name, index) => ({ index, name, ...waiting })) } as unknown as Build;
  const written: string[] = [];
  const stream = { append: async (bytes: Uint8Array) => void written.push(Buffer.from(bytes).toString()) } as unknown as StreamWriter;
  const log = createBuildLog({ build, stream, clock, changed: () => undefined });
  const steps = () => build.steps.map(({ index, name, status }) => [index, name, status]);
  const hear = (...events: BuildEvent[]) => {
    for (const event of events) log.onBuildEvent(event, [null, 'one', 'two']);
  };
  const step = (index: number): BuildEvent => ({ kind: 'step', index, total: 3, text: '', cached: false });
  const done = (index: number, how: { cached?: boolean; failed?: boolean }): BuildEvent => ({
    ...{ kind: 'step_done', index, durationMs: 1, cached: false, failed: false },
    ...how,
  });

  log.begin('base');
  hear(step(2), done(2, { failed: true }), { kind: 'again' });
  expect(steps()).toEqual([
    [0, 'base', 'succeeded'],
    [1, 'one', 'waiting'],
    [2, 'two', 'waiting'],
  ]);
  hear(step(2), done(2, { cached: true }), step(3), done(3, {}));
  expect(steps()).toEqual([
    [0, 'base', 'succeeded'],
    [1, 'one', 'cached'],
    [2, 'two', 'succeeded'],
  ]);
  expect(written.join('')).toContain('Another image was removed meanwhile');
});
