// A clock for what is drawn: durations that run, and "3 min ago".
import { useEffect, useState } from 'react';

/** Milliseconds since 1970, renewed every `everyMs`; null stops the clock. */
export const useNow = (everyMs: number | null): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
