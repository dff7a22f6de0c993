// What the palette puts first.
import { expect, test } from 'vitest';
import { inOrder, notNow } from '../../../renderer/src/shell/palette-order.ts';

const launch = (name: string, why?: string) => ({
  id: name,
  label: `Launch ${name}`,
  ...(why !== undefined && { description: notNow(why) }),
});
const labels = (query: string, ...launches: { id: string; label: string }[]) =>
  inOrder(query, [
    { group: 'Go to', actions: [{ id: 'home', label: 'Home', keywords: ['launch'] }] },
    { group: 'Launch', actions: launches },
  ]).flatMap(({ actions }) => actions.map(({ label }) => label));

test.each([
  ['launch mine', [launch('mine 2', 'Not tested.'), launch('mine')], ['Launch mine', 'Launch mine 2']],
  ['launch m', [launch('mine 2', 'Not tested.'), launch('mine 3')], ['Launch mine 3', 'Launch mine 2']],
  ['launch mine', [launch('mine 2'), launch('mine', 'Not tested.')], ['Launch mine', 'Launch mine 2']],
  ['launch', [launch('a'), launch('b')], ['Launch a', 'Launch b', 'Home']],
  ['', [launch('b', 'Not tested.')], ['Home', 'Launch b']],
])('%s', (query, launches, expected) => {
  expect(labels(query, ...launches)).toEqual(expected);
});
