import { expect, test } from 'vitest';
import { createSteadyTime } from '../../../sandbox-engine/base/steady-time.ts';

test('it goes on while the clock is set back, and follows one that is set forward', () => {
  let [day, passed] = [1_000_000, 50];
  const steady = createSteadyTime(
    () => day,
    () => passed,
  );
  const after = (ms: number, jumpMs = 0): number => {
    passed += ms;
    day += ms + jumpMs;
    return steady();
  };
  expect([after(10), after(10, -500_000), after(10), after(10, -500_000)]).toEqual([1_000_010, 1_000_020, 1_000_030, 1_000_040]);
  expect([after(10, 2_000_000), after(10)]).toEqual([2_000_050, 2_000_060]);
});
