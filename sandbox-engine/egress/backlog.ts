// Bounds what waits in the kernel: what a sandbox does not read fills the end towards the server, and what a server does not read the other one.
// All of that is memory of this machine, which all its connections share. It is looked at a few times a second, so that passing bytes costs nothing.
import { type Connection, cutConnection, type Sandbox } from './connection.ts';
import { forsakeSocket, heldBySocket, isReading, narrowSocket } from './leg-socket.ts';
import type { EgressLimits } from './limits.ts';
import type { Watched } from './watch.ts';

export interface Backlog extends Watched {
  add: (sandbox: Sandbox) => void;
  remove: (sandbox: Sandbox) => void;
}

/** One direction of a connection: since when less has moved than waits, and what had moved by then. */
interface Way {
  since: number;
  moved: number;
}

/** Of a sandbox's two directions, towards it and away from it. */
interface Both<T> {
  down: T;
  up: T;
}

/** Both, and since when one of them stands still. */
export interface Ways extends Both<Way> {
  since: number;
}

/** A connection on which something waits. */
interface Behind extends Ways {
  connection: Connection;
  waiting: number;
}

/** A sandbox with what waits for it. */
interface Place {
  sandbox: Sandbox;
  behind: Map<Connection, Behind>;
  waiting: number;
}

/** What is less is not worth a thought. */
const leastWaiting = 16 * 1024;
/** What waits at an end that holds something, where the kernel cannot be asked. */
const assumed = 4 * 1024 * 1024;
/** The least that each buffer of an end may hold once the sandbox has too much. */
const narrowBytes = 256 * 1024;
const mebibyte = 1024 * 1024;

const movedBy = ({ client, upstream }: Connection): number =>
  client.received + client.sent + (upstream === null ? 0 : upstream.leg.received + upstream.leg.sent);

const waitingOn = ({ client, upstream }: Connection): Both<number> => {
  if (upstream === null) return { down: 0, up: 0 };
  const { leg } = upstream;
  const [near, far] = [heldBySocket(client.socket), heldBySocket(leg.socket)];
  if (near === null || far === null) {
    return { down: client.queued > 0 || !isReading(leg.socket) ? assumed : 0, up: leg.queued > 0 ? assumed : 0 };
  }
  return { down: far.come + near.toGo + client.queued, up: near.come + far.toGo + leg.queued };
};

// Whoever takes a byte now and then moves as well, but less than waits.
const follow = (way: Way | undefined, moved: number, waiting: number, now: number): Way =>
  way !== undefined && moved >= way.moved && moved - way.moved < waiting ? way : { since: now, moved };

/** What became of both ways since `before`. One that moves does not speak for the other. */
export const followWays = (before: Ways | undefined, waiting: Both<number>, moved: Both<number>, now: number): Ways => {
  const down = follow(before?.down, moved.down, waiting.down, now);
  const up = follow(before?.up, moved.up, waiting.up, now);
  const since = Math.min(waiting.down < leastWaiting ? now : down.since, waiting.up < leastWaiting ? now : up.since);
  return { down, up, since };
};

const lookAt = (connection: Connection, before: Behind | undefined, now: number): Behind | null => {
  const { client, upstream } = connection;
  // Nothing has come or gone since it was looked at, nothing waited then, and what comes is read.
  if (upstream === null || (before === undefined && movedBy(connection) === connection.movedBytes && isReading(upstream.leg.socket))) {
    return null;
  }
  const waiting = waitingOn(connection);
  if (waiting.down + waiting.up < leastWaiting) return null;
  const ways = followWays(before, waiting, { down: client.sent, up: upstream.leg.sent }, now);
  return { connection, waiting: waiting.down + waiting.up, ...ways };
};

const lookAround = (place: Place, now: number): void => {
  const behind = new Map<Connection, Behind>();
  let waiting = 0;
  for (const connection of place.sandbox.connections) {
    const seen = lookAt(connection, place.behind.get(connection), now);
    if (seen === null) continue;
    behind.set(connection, seen);
    waiting += seen.waiting;
  }
  place.behind = behind;
  place.waiting = waiting;
};

/** What each may have so that all have no more than `most`: who has less keeps it, the others have the same. */
export const levelOf = (amounts: number[], most: number): number => {
  let left = most;
  const sorted = amounts.toSorted((one, other) => one - other);
  for (const [index, amount] of sorted.entries()) {
    const part = left / (sorted.length - index);
    if (amount > part) return part;
    left -= amount;
  }
  return Number.POSITIVE_INFINITY;
};

const cutStalled = ({ connection }: Behind, most: number): void => {
  forsakeSocket(connection.client.socket);
  if (connection.upstream !== null) forsakeSocket(connection.upstream.leg.socket);
  const much = `More than ${Math.max(1, Math.round(most / mebibyte))} MiB waited on the connections of this sandbox`;
  cutConnection(connection, 'limit_exceeded', `${much}, and on this one what waited was not read for the longest time.`);
};

/** What each buffer of so many connections may hold once their sandbox has too much: an even part, so that one alone is within the bound with
 * what waits beside it. 200 busy tunnels that were all brought down to the least had very unlike shares. */
export const partOfEach = (most: number, connections: number): number => Math.max(narrowBytes, Math.floor(most / (connections + 1)));

/** What one sandbox may have, and how long what exceeds it is borne. */
interface Bound {
  most: number;
  patienceMs: number;
  patienceAtTwiceMs: number;
}

const relieve = (place: Place, { most, patienceMs, patienceAtTwiceMs }: Bound, now: number): void => {
  if (place.waiting <= most) return;
  // Of all of them, so that none falls behind the others.
  const { connections } = place.sandbox;
  const bytes = partOfEach(most, connections.size);
  for (const { upstream } of connections) if (upstream !== null) narrowSocket(upstream.leg.socket, bytes);
  const behind = [...place.behind.values()].sort((one, other) => one.since - other.since);
  for (const one of behind) {
    const bornMs = place.waiting > 2 * most ? patienceAtTwiceMs : patienceMs;
    if (place.waiting <= most || now - one.since < bornMs) return;
    cutStalled(one, most);
    place.behind.delete(one.connection);
    place.waiting -= one.waiting;
  }
};

/** Makes the bound of all sandboxes of one thread. Who makes it has it looked at before the connections are. */
export const createBacklog = (limits: EgressLimits): Backlog => {
  const places = new Map<Sandbox, Place>();
  return {
    add: (sandbox) => void places.set(sandbox, { sandbox, behind: new Map(), waiting: 0 }),
    remove: (sandbox) => void places.delete(sandbox),
    check: (now) => {
      const all = [...places.values()];
      for (const place of all) lookAround(place, now);
      const level = levelOf(
        all.map(({ waiting }) => waiting),
        limits.waiting,
      );
      // Where all have too much, it is everybody's memory that is short.
      const isShort = level < limits.waitingOfSandbox;
      const { stalledAtTwiceMs: patienceAtTwiceMs } = limits;
      const patienceMs = isShort ? patienceAtTwiceMs : limits.stalledMs;
      const most = Math.min(limits.waitingOfSandbox, level);
      for (const place of all) relieve(place, { most, patienceMs, patienceAtTwiceMs }, now);
    },
  };
};
