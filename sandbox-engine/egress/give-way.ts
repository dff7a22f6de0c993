// Bulk traffic gives way: while a download takes the processors, a keystroke that comes in between is answered first.
// Source: setpriority(2), NOTES (on Linux the priority is that of a thread); sched(7).
import { setPriority } from 'node:os';

/** Half of the weight of other threads: enough to be passed by, and all of the processor where nobody else wants it. */
const niceness = 3;

/** Has the calling thread stand back behind the others. On Linux alone: elsewhere the priority is that of the whole host. */
export const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(niceness);
  } catch {
    // Where this is forbidden, the thread is like any other.
  }
};
