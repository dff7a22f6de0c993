// Lets new connections of one sandbox in: not more than its limit and that of all sandboxes, but for a few, and at a pace that leaves the others their turn.
import type { EgressLimits } from './limits.ts';
import type { Handle } from './listen-socket.ts';
import { createPace } from './pace.ts';

/** What all sandboxes use together. */
export interface Crowd {
  open: number;
}

export interface Admission {
  admit: (handle: Handle) => void;
  /** One that was begun is over. */
  leave: () => void;
  /** Closes those that wait. */
  stop: () => void;
}

export interface AdmissionOptions {
  limits: EgressLimits;
  crowd: Crowd;
  /** For how many short turns of the event loop the last one counts. */
  turnsInLast: () => number;
  begin: (handle: Handle) => void;
  /** Told of each that was turned away. */
  onRefused: () => void;
}

/** Makes the door of one sandbox. */
export const createAdmission = ({ limits, crowd, turnsInLast, begin, onRefused }: AdmissionOptions): Admission => {
  let open = 0;
  const pace = createPace<Handle>({
    ...{ inTurn: limits.beginsInTurn, inSecond: limits.beginsInSecond, atOnce: limits.beginsAtOnce },
    ...{ turnsInLast, begin },
  });
  const leave = () => {
    open -= 1;
    crowd.open -= 1;
  };
  // However many the others have, each may have a few.
  const isFull = () => open >= limits.connectionsOfSandbox || (crowd.open >= limits.connections && open >= limits.connectionsKept);
  return {
    admit: (handle) => {
      if (isFull()) {
        handle.close();
        onRefused();
        return;
      }
      open += 1;
      crowd.open += 1;
      pace.offer(handle);
    },
    leave,
    stop: () => {
      for (const handle of pace.stop()) {
        handle.close();
        leave();
      }
    },
  };
};
