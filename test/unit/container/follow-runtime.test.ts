import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followRuntime } from '../../../sandbox-engine/container/follow-runtime.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Streams that live so long, one after the other; the last one stays. */
const follow = (livesMs: readonly number[], answers: boolean) => {
  const told: string[] = [];
  const lives = [...livesMs];
  const events = async (_onEvent: unknown, signal: AbortSignal, onOpen: () => void): Promise<void> => {
    onOpen();
    const life = lives.shift();
    await new Promise<void>((resolve) => {
      if (life !== undefined) setTimeout(resolve, life);
      signal.addEventListener('abort', () => resolve());
    });
  };
  const stop = followRuntime({ events } as never, {
    ...{ wasAway: false, onEvent: () => undefined, onBack: () => told.push('back'), onLost: () => told.push('lost') },
    reconnect: async () => answers,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return { told, stop };
};

test.each([
  ['that answers is not lost, and what was missed is looked at', [60_000], true, ['back']],
  ['that does not answer is lost', [60_000], false, ['lost']],
  ['whose stream ends at once is lost, so that nobody asks without a pause', [10], true, ['lost', 'back']],
])('a runtime %s when its events end', async (_name, lives, answers, wanted) => {
  const { told, stop } = follow(lives, answers);
  await vi.advanceTimersByTimeAsync(61_000);
  stop();
  expect(told).toEqual(wanted);
});
