// Passes one HTTP body from one end to the other, as far as its framing says, at the pace of the receiving end.
import type { BodyFramer } from './body-framer.ts';
import { flowLeg, holdLeg, type Leg, listenToLeg, resumeLeg, writeLeg } from './leg.ts';
import type { Share } from './share.ts';

/** How a body ended: whole; its sender ended before; one of the ends broke; or it is no body, in words. */
export type BodyEnd = { kind: 'done' | 'ended' | 'broken' } | { kind: 'bad'; detail: string };

const nothing = Buffer.alloc(0);

const join = (pieces: Buffer[]): Buffer => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));

/** A piece of a body in which more has to be looked at takes one of the sandbox's turns. */
const mostSteps = 1_000;

/** Whether it begins at once; else `from` goes on when its turn has come, unless what was sent before waits still. */
const takeTurn = (share: Share, from: Leg, to: Leg): boolean => {
  let isNow: boolean | null = null;
  share.offer(() => {
    if (isNow === null) isNow = true;
    else if (to.queued === 0) resumeLeg(from);
  });
  isNow ??= false;
  return isNow;
};

/** Sends `head` and then the body, at the pace of the sandbox's share. What came behind the body is held by `from` afterwards. */
export const relayBody = (from: Leg, to: Leg, framer: BodyFramer, head: Buffer, share: Share): Promise<BodyEnd> =>
  new Promise((resolve) => {
    let first: Buffer | null = head;
    let rest: Buffer = nothing;
    const settle = (end: BodyEnd) => {
      for (const deafen of deafens) deafen();
      to.onDrain = null;
      if (from.sink === sink) holdLeg(from, end.kind === 'done' ? rest : nothing);
      resolve(end);
    };

    const sink = (bytes: Buffer): boolean => {
      const framed = framer.push(bytes);
      if (framed.bad !== null) {
        settle({ kind: 'bad', detail: framed.bad });
        return false;
      }
      const pieces = first === null ? framed.pass : [first, ...framed.pass];
      first = null;
      const isFree = pieces.length === 0 || writeLeg(to, join(pieces));
      if (framed.done) {
        rest = framed.rest;
        settle({ kind: 'done' });
        return true;
      }
      const goesOn = framer.steps() <= mostSteps || takeTurn(share, from, to);
      return isFree && goesOn;
    };

    const onChange = () => {
      if (from.closed || to.closed) settle({ kind: from.ended && !to.closed ? 'ended' : 'broken' });
      else if (from.ended) settle({ kind: 'ended' });
    };
    const deafens = [listenToLeg(from, onChange), listenToLeg(to, onChange)];
    to.onDrain = () => resumeLeg(from);
    flowLeg(from, sink);
    if (first !== null && from.sink === sink) {
      first = null;
      writeLeg(to, head);
    }
    if (from.sink === sink) onChange();
  });
