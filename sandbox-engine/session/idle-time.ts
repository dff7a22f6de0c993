// When an idle session is warned and when it is stopped. Pure: counts the time that this host was awake and saw nothing happen, so that
// neither a laptop that slept nor a clock that was set makes a session look idle.

export interface IdleTime {
  /** Awake milliseconds since something happened. */
  idleMs: number;
  /** Awake milliseconds since somebody was warned; null when nobody is. */
  warnedMs: number | null;
}

export type IdleAct = 'nothing' | 'warn' | 'take_back' | 'stop';

const minuteMs = 60_000;

/** A step of time that is longer was slept through, or the host was held up: it counts as this much. */
const longestStepMs = minuteMs;

/** How long before the stop one is warned: a minute, or half of a short limit. */
export const warnMs = (limitMs: number): number => Math.min(minuteMs, limitMs / 2);

/** Nothing has happened yet, and nobody is warned. */
export const noIdleTime: IdleTime = { idleMs: 0, warnedMs: null };

/** The next state after a step of time, and what is to be done. Nobody is stopped who was not warned for the whole of that time. */
export const nextIdle = (
  { idleMs, warnedMs }: IdleTime,
  { stepMs, isActive, limitMs }: { stepMs: number; isActive: boolean; limitMs: number },
): { time: IdleTime; act: IdleAct } => {
  const isOff = limitMs <= 0;
  if (isActive || isOff) return { time: noIdleTime, act: warnedMs === null ? 'nothing' : 'take_back' };
  const step = Math.min(Math.max(0, stepMs), longestStepMs);
  const idle = idleMs + step;
  if (warnedMs !== null) {
    const warned = warnedMs + step;
    return { time: { idleMs: idle, warnedMs: warned }, act: warned >= warnMs(limitMs) && idle >= limitMs ? 'stop' : 'nothing' };
  }
  if (idle < limitMs - warnMs(limitMs)) return { time: { idleMs: idle, warnedMs: null }, act: 'nothing' };
  return { time: { idleMs: idle, warnedMs: 0 }, act: 'warn' };
};
