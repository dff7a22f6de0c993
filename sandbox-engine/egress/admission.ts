// Lets new connections in: not more than the limits, and a few of each sandbox in a turn of the event loop, so that a flood from one
// sandbox leaves the others their turn.
import type { EgressLimits } from './limits.ts';
import type { Handle } from './listen-socket.ts';

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
  begin: (handle: Handle) => void;
  /** Told of each that was turned away. */
  onRefused: () => void;
}

/** Makes the door of one sandbox. */
export const createAdmission = ({ limits, crowd, begin, onRefused }: AdmissionOptions): Admission => {
  let waiting: Handle[] = [];
  let open = 0;
  let begun = 0;
  let isTurnSet = false;

  const setTurn = () => {
    if (isTurnSet) return;
    isTurnSet = true;
    setImmediate(nextTurn);
  };

  const beginOne = (handle: Handle) => {
    begun += 1;
    setTurn();
    begin(handle);
  };

  const nextTurn = () => {
    isTurnSet = false;
    begun = 0;
    const due = waiting.splice(0, limits.beginsInTurn);
    for (const handle of due) beginOne(handle);
  };

  return {
    admit: (handle) => {
      if (open >= limits.connectionsOfSandbox || crowd.open >= limits.connections) {
        handle.close();
        onRefused();
        return;
      }
      open += 1;
      crowd.open += 1;
      if (begun < limits.beginsInTurn) beginOne(handle);
      else waiting.push(handle);
    },
    leave: () => {
      open -= 1;
      crowd.open -= 1;
    },
    stop: () => {
      for (const handle of waiting) handle.close();
      open -= waiting.length;
      crowd.open -= waiting.length;
      waiting = [];
    },
  };
};
