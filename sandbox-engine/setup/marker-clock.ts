// The times of a sandbox's markers on the clock of the host. A sandbox on this machine has the same clock; one in a virtual machine may not,
// and a marker may arrive long after it was made.

/** The host's time at which a marker was made, from what the sandbox says and when it arrived; without the former the latter. */
export type MarkerClock = (saidMs: number | null, arrivedMs: number) => number;

/** Makes the clock of one run. The first marker is made between the start and its arrival: what says otherwise is another clock. */
export const createMarkerClock = (startedMs: number): MarkerClock => {
  let ahead: number | null = null;
  return (saidMs, arrivedMs) => {
    if (saidMs === null) return arrivedMs;
    ahead ??= saidMs - Math.min(Math.max(saidMs, startedMs), arrivedMs);
    return Math.min(saidMs - ahead, arrivedMs);
  };
};
