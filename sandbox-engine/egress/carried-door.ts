// The one TCP port of a sandbox whose gate is in a virtual machine, where no socket of this computer can be mounted. Its carrier connects
// here. Nobody is answered a byte, or gets a place among the sandbox's connections, before the token was shown.
// Source: NETWORK.md 3.3, H07, H09.
import { isIP } from 'node:net';
import { readIpAddress } from './address.ts';
import { type CarriedWay, carriedWay, readCarrierMark } from './carrier-mark.ts';
import { createLeg, dropLeg, type Leg, type OpenedHandle, readLeg, skipLeg } from './leg.ts';
import { type Handle, type Listener, listenAt } from './listen-socket.ts';
import type { Turns } from './turns.ts';
import type { Watch } from './watch.ts';

/** Where a carrier finds the host, and by what it is known. */
export interface CarriedPlace {
  address: string;
  port: number;
  /** Who does not show it is closed without a word. */
  token: string;
  /** The carrier's own address: who comes from another is closed at once. */
  peer: string;
}

export interface CarriedDoorOptions {
  place: CarriedPlace;
  turns: Turns;
  watch: Watch;
  /** Takes over a connection that has shown the token. */
  serve: Record<CarriedWay, (handle: Handle) => void>;
}

/** How long a connection may take to show the token, and how many may be about to. */
const markMs = 2_000;
const mostUnmarked = 256;

const canonical = (address = ''): string => (isIP(address) === 0 ? '' : (readIpAddress(address)?.ip ?? ''));

const handOn = (leg: Leg): OpenedHandle => ({ leg, close: () => dropLeg(leg) });

/** Listens until it is closed; connections that were handed on stay. @throws internal */
export const openCarriedDoor = async ({ place, turns, watch, serve }: CarriedDoorOptions): Promise<Listener> => {
  const unmarked = new Set<Leg>();
  const peer = canonical(place.peer);

  const readMark = async (leg: Leg): Promise<void> => {
    const until = performance.now() + markMs;
    const watched = {
      check: (now: number) => {
        if (now > until) dropLeg(leg);
      },
    };
    unmarked.add(leg);
    watch.add(watched);
    const mark = await readLeg(leg, readCarrierMark);
    watch.remove(watched);
    unmarked.delete(leg);
    const way = mark?.state === 'mark' && !leg.closed ? carriedWay(mark.id, place.token) : null;
    if (mark?.state !== 'mark' || way === null) return dropLeg(leg);
    skipLeg(leg, mark.bytes);
    serve[way](handOn(leg));
  };

  const admit = (handle: Handle): void => {
    const leg = createLeg(turns, handle);
    const isKnown = peer !== '' && canonical(leg.socket.remoteAddress) === peer;
    if (isKnown && unmarked.size < mostUnmarked) void readMark(leg);
    else dropLeg(leg);
  };

  const listener = await listenAt({ host: place.address, port: place.port }, admit);
  return {
    close: async () => {
      await listener.close();
      for (const leg of unmarked) dropLeg(leg);
    },
  };
};
