// Shares the worker's thread fairly: in one turn of the event loop no sandbox may do more than its part, and of its connections none may move
// more than its share. Shares are large, since many small reads and writes cost twice the processor time of few large ones; turns are short,
// since whoever connects or types meanwhile waits for the end of one.
import { nativeSockets } from './native-sockets.ts';

/** What a connection needs to take its turn. */
export interface Turn {
  /** The turn in which `moved` was counted. */
  number: number;
  moved: number;
  /** It is to go on in a later turn, and is not put down for that twice. */
  waits: boolean;
}

/** Before its first turn. */
export const firstTurn = (): Turn => ({ number: 0, moved: 0, waits: false });

/** The turns of one sandbox. */
export interface Turns {
  /** The buffer into which the next bytes are read; all connections share its memory, so nobody keeps it. */
  buffer: () => Buffer;
  /** The same where nobody takes the bytes yet, so that they have to be kept. */
  smallBuffer: () => Buffer;
  /** Counts bytes that were read; true when what may be done in this turn is done. */
  count: (turn: Turn, bytes: number) => boolean;
  /** Whether nothing more may be read in this turn. */
  isOver: (turn: Turn) => boolean;
  /** Calls `goOn` in a later turn. */
  wait: (turn: Turn, goOn: () => void) => void;
  /** Counts bytes that could not be passed on yet and were copied, and, as less than 0, those that were passed on since. */
  keep: (bytes: number) => void;
  /** For how many short turns the last one counts, by what was moved in it: so many are let in for each. */
  inLast: () => number;
}

/** What is read at once: what the other end takes at once too. A relay's unix socket takes less; the rest would be copied and have to wait. */
const wholeBytes = 1024 * (nativeSockets() === null ? 128 : 256);
/** The same while much waits for ends that take nothing, so that they do not fill the memory. */
const partBytes = 64 * 1024;
const muchKept = 16 * 1024 * 1024;
/** A head, or a greeting. */
const smallBytes = 16 * 1024;
const shareOfFew = 1024 * 1024;
/** Up to so many busy connections of a sandbox, and so many busy sandboxes, are few. */
const few = 4;
/** Of those that wait, so many may go on in one turn, and so much is moved in it; both are parted among the sandboxes that are busy. */
const mostGoOn = 32;
const mostInTurn = mostGoOn * wholeBytes;
/** What is moved in the time of a short turn, and for how many short ones one counts at most. */
const shortTurnBytes = 1024 * 1024;
const mostShort = 8;
/** So long after the last turn in which something was moved, turns are short again. */
const lastsMs = 50;
/** A read of less is not a stream that could starve others; thousands of them are. Each costs what moving so much costs. */
const bulkBytes = 16 * 1024;
/** What small reads may come to before they are a turn. */
const unnoticedBytes = 32 * bulkBytes;

/** The memory that all read into, by how much waits. */
const createReading = (): Pick<Turns, 'buffer' | 'smallBuffer' | 'keep'> => {
  const whole = Buffer.allocUnsafeSlow(wholeBytes);
  const part = whole.subarray(0, partBytes);
  const small = whole.subarray(0, smallBytes);
  let kept = 0;
  return {
    buffer: () => (kept > muchKept ? part : whole),
    smallBuffer: () => small,
    keep: (bytes) => {
      kept += bytes;
    },
  };
};

/** What one sandbox has done since the last turn began, and who of it waits. */
interface Place {
  spent: number;
  busy: number;
  isCrowded: boolean;
  waiting: { turn: Turn; goOn: () => void }[];
}

/** What all sandboxes have done together. */
interface Thread {
  number: number;
  moved: number;
  last: { moved: number; at: number };
  isAwaited: boolean;
  /** Who did something since the last turn began, or waits, the one that went on longest ago first. */
  places: Set<Place>;
  /** Sandboxes that were busy in the last turn. */
  busy: number;
  nextTurn: (begin: () => void) => void;
}

const letGoOn = (place: Place, most: number): void => {
  const due = place.waiting.slice(0, most);
  place.waiting = place.waiting.slice(most);
  for (const { turn, goOn } of due) {
    turn.waits = false;
    goOn();
  }
};

const renew = (place: Place): void => {
  place.isCrowded = place.busy + place.waiting.length > few;
  place.busy = 0;
  place.spent = 0;
};

const awaitNext = (thread: Thread): void => {
  if (thread.isAwaited) return;
  thread.isAwaited = true;
  thread.nextTurn(() => begin(thread));
};

const begin = (thread: Thread): void => {
  thread.isAwaited = false;
  thread.number += 1;
  thread.last = { moved: thread.moved, at: performance.now() };
  thread.moved = 0;
  const places = [...thread.places];
  thread.busy = Math.max(1, places.filter(({ spent, waiting }) => spent >= bulkBytes || waiting.length > 0).length);
  for (const place of places) renew(place);
  const waiting = places.filter((place) => place.waiting.length > 0);
  const due = waiting.slice(0, mostGoOn);
  thread.places = new Set([...waiting.slice(mostGoOn), ...due]);
  for (const place of due) letGoOn(place, Math.max(1, Math.floor(mostGoOn / thread.busy)));
  // Those who go on may have nothing to move, and then nobody else would call for the next turn.
  if (waiting.some((place) => place.waiting.length > 0)) awaitNext(thread);
};

const shareIn = (thread: Thread, { isCrowded }: Place): number => (isCrowded || thread.busy > few ? wholeBytes : shareOfFew);

const isUsedUp = (thread: Thread, place: Place, turn: Turn): boolean =>
  place.spent >= mostInTurn / thread.busy || (turn.number === thread.number && turn.moved >= shareIn(thread, place));

const enter = ({ number }: Thread, place: Place, turn: Turn, bytes: number): void => {
  if (turn.number === number) return;
  turn.number = number;
  turn.moved = 0;
  if (bytes >= bulkBytes) place.busy += 1;
};

const count = (thread: Thread, place: Place, turn: Turn, bytes: number): boolean => {
  enter(thread, place, turn, bytes);
  const cost = Math.max(bytes, bulkBytes);
  turn.moved += bytes;
  thread.moved += cost;
  place.spent += cost;
  thread.places.add(place);
  if (bytes >= bulkBytes || place.spent >= unnoticedBytes) awaitNext(thread);
  return isUsedUp(thread, place, turn);
};

const wait = (thread: Thread, place: Place, turn: Turn, goOn: () => void): void => {
  if (turn.waits) return;
  turn.waits = true;
  place.waiting.push({ turn, goOn });
  thread.places.add(place);
  awaitNext(thread);
};

const inLast = ({ last }: Thread): number =>
  performance.now() - last.at > lastsMs ? 1 : Math.min(mostShort, 1 + Math.floor(last.moved / shortTurnBytes));

/** Makes the turns of one thread, of which each sandbox gets its own; `nextTurn` calls a function in the next turn of its event loop. */
export const createTurns = (nextTurn: (begin: () => void) => void = setImmediate): (() => Turns) => {
  const reading = createReading();
  const last = { moved: 0, at: 0 };
  const thread: Thread = { number: 1, moved: 0, last, isAwaited: false, places: new Set(), busy: 1, nextTurn };
  return () => {
    const place: Place = { spent: 0, busy: 0, isCrowded: false, waiting: [] };
    return {
      ...reading,
      count: (turn, bytes) => count(thread, place, turn, bytes),
      isOver: (turn) => isUsedUp(thread, place, turn),
      wait: (turn, goOn) => wait(thread, place, turn, goOn),
      inLast: () => inLast(thread),
    };
  };
};
