// The time of day as it would be if nobody set the clock back: what ends at a time ends then at the latest, by the time that has passed.

/** Makes one that begins as the clock is now; it follows a clock that is set forward, or that went on while the machine slept. */
export const createSteadyTime = (now: () => number, monotonic: () => number): (() => number) => {
  let [day, passed] = [now(), monotonic()];
  return () => {
    const at = monotonic();
    day = Math.max(now(), day + (at - passed));
    passed = at;
    return day;
  };
};
