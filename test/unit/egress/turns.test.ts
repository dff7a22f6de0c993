// Who moves much takes turns: large shares, few in one turn, in order, and nobody is forgotten.
import { expect, test } from 'vitest';
import { createTurns, type Turn } from '../../../sandbox-engine/egress/turns.ts';

const share = 256 * 1024;

/** Streams without end, and an event loop whose turns are taken by hand. */
const start = (count: number) => {
  let due: (() => void)[] = [];
  const turns = createTurns((begin) => due.push(begin));
  const moved = Array.from({ length: count }, () => 0);
  let ready = moved.map((_, index) => index);
  const places: Turn[] = moved.map(() => ({ number: 0, moved: 0 }));
  /** Each that may read does so until it has to stop; answers how many bytes were moved. */
  const turn = (bytes = share): number => {
    const reading = ready;
    ready = [];
    let sum = 0;
    for (const index of reading) {
      for (let isOn = true; isOn; ) {
        moved[index] = (moved[index] ?? 0) + bytes;
        sum += bytes;
        isOn = !turns.count(places[index] as Turn, bytes, () => ready.push(index));
      }
    }
    const begin = due;
    due = [];
    for (const go of begin) go();
    return sum;
  };
  return { turns, turn, moved };
};

test('of many streams some move a share in one turn, the others in the next ones, and all come to the same', () => {
  const { turn, moved } = start(200);
  turn();
  turn();
  const most = Math.max(...Array.from({ length: 700 }, () => turn()));
  expect(most).toBe(32 * share);
  expect(Math.max(...moved) - Math.min(...moved)).toBeLessThanOrEqual(4 * share);
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
  const turns = createTurns((begin) => due.push(begin));
  const wentOn: number[] = [];
  for (let index = 0; index < 100; index += 1) turns.count({ number: 0, moved: 0 }, 4 * share, () => wentOn.push(index));
  for (let next = due.shift(); next !== undefined; next = due.shift()) next();
  expect(wentOn).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('small reads are nobody’s turn', () => {
  const due: (() => void)[] = [];
  const turns = createTurns((begin) => due.push(begin));
  expect([turns.count({ number: 0, moved: 0 }, 1_000, () => undefined), due]).toEqual([false, []]);
});

test('while much waits for ends that take nothing, less is read at once', () => {
  const { turns } = start(0);
  const before = turns.buffer().length;
  turns.keep(17 * 1024 * 1024);
  const meanwhile = turns.buffer().length;
  turns.keep(-2 * 1024 * 1024);
  expect([before, meanwhile, turns.buffer().length]).toEqual([share, share / 4, share]);
});
