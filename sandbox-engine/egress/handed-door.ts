// Where a gate hands over the sockets on which it has caught everything: the proxy then accepts the sandbox's connections itself, and nothing
// stands between. The gate stays on the line: when it goes, or this side does, the sockets end, and connections are refused at once.
import { Socket } from 'node:net';
import type { CarriedWay } from './carrier-mark.ts';
import { type AcceptedHandle, type Listener, listenAt, listenSocket } from './listen-socket.ts';
import type { NativeSockets } from './native-sockets.ts';

export interface HandedDoorOptions {
  path: string;
  native: NativeSockets;
  /** Takes over what was accepted; `destination` is set on it. */
  serve: Record<CarriedWay, (handle: AcceptedHandle) => void>;
}

/** The byte with which a socket comes says what is spoken on it. */
const wayOf = new Map<number, CarriedWay>([
  ['P'.charCodeAt(0), 'proxy'],
  ['N'.charCodeAt(0), 'names'],
]);

/** A gate and a stand-in, and one of each that is just ending. */
const mostGates = 4;
/** More than a policy has ports. */
const mostSockets = 4_200;

/** A gate gives all its sockets in a row: who has been quiet for so long after one has given all. */
const quietMs = 1_000;
/** It is looked for them at first at once, then ever less often. */
const longestPauseMs = 64;

interface Gate {
  close: () => Promise<void>;
}

type Take = (byte: number, socket: number) => void;

// Takes what is there: whether that was something, or the end.
const takeAll = (line: AcceptedHandle, native: NativeSockets, take: Take): 'some' | 'none' | 'ended' => {
  for (let seen: 'some' | 'none' = 'none'; ; seen = 'some') {
    const taken = native.takeSocket(line.fd ?? -1);
    if (taken === null) return seen;
    if (taken === 'ended' || taken.socket === null) return 'ended';
    take(taken.byte, taken.socket);
  }
};

/** The line to a gate: what comes is taken, and its end is told. It is Node's own handle, so that it ends with its thread in any case. */
const holdLine = (line: AcceptedHandle, native: NativeSockets, take: Take, onEnd: () => void): (() => void) => {
  let timer: NodeJS.Timeout | null = null;
  let socket: Socket | null = null;
  let takenAt: number | null = null;

  // From here on Node reads, which would lose a socket that comes: whoever says more is let go, and may begin anew.
  const awaitEnd = (): void => {
    socket = new Socket({ handle: line } as object);
    socket.on('data', onEnd).on('close', onEnd);
    socket.on('error', () => undefined);
  };
  const look = (pauseMs: number): void => {
    const seen = takeAll(line, native, take);
    if (seen === 'some') takenAt = performance.now();
    if (seen === 'ended') onEnd();
    else if (takenAt !== null && performance.now() - takenAt > quietMs) awaitEnd();
    else timer = setTimeout(() => look(seen === 'some' ? 1 : Math.min(2 * pauseMs, longestPauseMs)), pauseMs);
  };
  timer = setTimeout(() => look(1), 0);
  return () => {
    if (timer !== null) clearTimeout(timer);
    if (socket === null) line.close();
    else socket.destroy();
  };
};

const openGate = (line: AcceptedHandle, { native, serve }: HandedDoorOptions, onEnd: (gate: Gate) => void): Gate => {
  const listeners: Promise<Listener | null>[] = [];

  const acceptFor = (way: CarriedWay) => (handle: AcceptedHandle) => {
    const destination = handle.fd === undefined ? null : native.destinationOf(handle.fd);
    if (destination === null) return handle.close();
    handle.destination = destination;
    serve[way](handle);
  };

  const take = (byte: number, socket: number): void => {
    const way = wayOf.get(byte);
    if (way === undefined || listeners.length >= mostSockets || !native.isListening(socket)) native.close(socket);
    else listeners.push(listenAt({ fd: socket }, acceptFor(way)).catch(() => null));
  };

  const letGo = holdLine(line, native, take, () => onEnd(gate));
  const gate: Gate = {
    close: async () => {
      const open = (await Promise.all(listeners)).filter((listener) => listener !== null);
      await Promise.all(open.map((listener) => listener.close()));
      letGo();
    },
  };
  return gate;
};

/** Waits for gates at a path until it is closed; connections that were accepted stay. @throws internal */
export const openHandedDoor = async (options: HandedDoorOptions): Promise<Listener> => {
  const gates = new Set<Gate>();
  const end = (gate: Gate): void => {
    if (gates.delete(gate)) void gate.close();
  };
  const listener = await listenSocket(options.path, (handle) => {
    if (gates.size < mostGates) gates.add(openGate(handle, options, end));
    else handle.close();
  });
  return {
    close: async () => {
      await listener.close();
      const open = [...gates];
      gates.clear();
      await Promise.all(open.map((gate) => gate.close()));
    },
  };
};
