// Who moves much takes turns: large shares, few in one turn, in order, and nobody is forgotten.
import { expect, test } from 'vitest';
import { createTurns, firstTurn, type Turn, type Turns } from '../../../sandbox-engine/egress/turns.ts';

const share = 256 * 1024;

/** Streams without end of some sandboxes, so many each, and an event loop whose turns are taken by hand. */
const start = (...counts: number[]) => {
  let due: (() => void)[] = [];
  const turnsOf = createTurns((begin) => due.push(begin));
  const owners = counts.flatMap((count) => Array<Turns>(count).fill(turnsOf()));
  const moved = owners.map(() => 0);
  let ready = moved.map((_, index) => index);
  const places: Turn[] = moved.map(firstTurn);
  const read = (index: number, bytes: number): boolean => {
    const [turns, place] = [owners[index] as Turns, places[index] as Turn];
    moved[index] = (moved[index] ?? 0) + bytes;
    const isOver = turns.count(place, bytes);
    if (isOver) turns.wait(place, () => ready.push(index));
    return !isOver;
  };
  /** Each that may read does so until it has to stop or, where a read is all that has come, once; answers how many bytes were moved. */
  const turn = (bytes = share, isAll = false): number => {
    const reading = ready;
    ready = [];
    let reads = 0;
    for (const index of reading) {
      let isOn = true;
      for (let isFirst = true; isOn && (isFirst || !isAll); isFirst = false) {
        reads += 1;
        isOn = read(index, bytes);
      }
      if (isOn) ready.push(index);
    }
    const begin = due;
    due = [];
    for (const go of begin) go();
    return reads * bytes;
  };
  return { turns: turnsOf(), turn, moved };
};

test('of many streams some move a share in one turn, the others in the next ones, and all come to the same', () => {
  const { turn, moved } = start(200);
  turn();
  turn();
  const most = Math.max(...Array.from({ length: 700 }, () => turn()));
  expect(most).toBe(32 * share);
  expect(Math.max(...moved) - Math.min(...moved)).toBeLessThanOrEqual(4 * share);
});

test.each([
  ['a share', share],
  ['less than a share', share / 2],
  ['little', 4_000],
])('beside a thousand streams of another sandbox that bring %s each, one stream has its part of each turn', (_how, bytes) => {
  const { turn, moved } = start(1_000, 1);
  for (let index = 0; index < 5; index += 1) turn(bytes, true);
  const [before = 0] = moved.slice(-1);
  const most = Math.max(...Array.from({ length: 200 }, () => turn(bytes, true)));
  expect((moved.at(-1) ?? 0) - before).toBeGreaterThanOrEqual(200 * bytes);
  expect(most).toBeLessThanOrEqual(32 * share + 4 * share);
  // A read of little costs what a larger one costs: no turn may be thousands of them.
  expect(most / bytes).toBeLessThanOrEqual(520);
});

test('a hundred sandboxes that are busy come to the same', () => {
  const { turn, moved } = start(...Array<number>(100).fill(3));
  for (let index = 0; index < 500; index += 1) turn();
  expect(Math.max(...moved) / Math.min(...moved)).toBeLessThan(1.5);
});

test('a turn in which much was moved counts for several short ones, until it is long ago', async () => {
  const { turns, turn } = start(200);
  const before = turns.inLast();
  turn();
  expect([before, turns.inLast()]).toEqual([1, 8]);
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(turns.inLast()).toBe(1);
});

test('a single stream moves four shares in a turn', () => {
  const { turn } = start(1);
  expect([turn(), turn(), turn()]).toEqual([4 * share, 4 * share, 4 * share]);
});

test('those that wait go on, also when those before them have nothing to move', () => {
  const due: (() => void)[] = [];
  const turns = createTurns((begin) => due.push(begin))();
  const wentOn: number[] = [];
  for (let index = 0; index < 100; index += 1) turns.wait(firstTurn(), () => wentOn.push(index));
  for (let next = due.shift(); next !== undefined; next = due.shift()) next();
  expect(wentOn).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('who waits is put down once', () => {
  const due: (() => void)[] = [];
  const turns = createTurns((begin) => due.push(begin))();
  let times = 0;
  const turn = firstTurn();
  for (let index = 0; index < 3; index += 1) turns.wait(turn, () => (times += 1));
  for (let next = due.shift(); next !== undefined; next = due.shift()) next();
  expect(times).toBe(1);
});

test('a few small reads are nobody’s turn', () => {
  const due: (() => void)[] = [];
  const turns = createTurns((begin) => due.push(begin))();
  const turn = firstTurn();
  expect([turns.count(turn, 1_000), turns.count(turn, 1_000), due]).toEqual([false, false, []]);
});

test('while much waits for ends that take nothing, less is read at once', () => {
  const { turns } = start();
  const before = turns.buffer().length;
  turns.keep(17 * 1024 * 1024);
  const meanwhile = turns.buffer().length;
  turns.keep(-2 * 1024 * 1024);
  expect([before, meanwhile, turns.buffer().length]).toEqual([share, share / 4, share]);
});
