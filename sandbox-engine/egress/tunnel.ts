// Passes bytes between two ends as they are, each way at the pace of the slower end. Looks at nothing.
import { closeLeg, endLeg, flowLeg, type Leg, listenToLeg, resumeLeg, writeLeg } from './leg.ts';

const pass = (from: Leg, to: Leg): void => {
  to.onDrain = () => resumeLeg(from);
  flowLeg(from, (bytes) => writeLeg(to, bytes));
};

/** Runs until both ends have ended or one broke; then both are closed. `onHalf` is told when one of them has ended and the other goes on. */
export const runTunnel = (client: Leg, upstream: Leg, onHalf: () => void): Promise<void> =>
  new Promise((resolve) => {
    const onChange = (from: Leg, to: Leg) => {
      if (from.closed) {
        if (to.closed) resolve();
        else closeLeg(to);
      } else if (from.ended && !to.socket.writableEnded) {
        endLeg(to);
        onHalf();
      }
    };
    const join = (from: Leg, to: Leg) => {
      listenToLeg(from, () => onChange(from, to));
      pass(from, to);
      if (from.ended) onChange(from, to);
    };
    join(client, upstream);
    join(upstream, client);
  });
