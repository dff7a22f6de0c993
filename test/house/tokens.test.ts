// Colours are in one file, once for light and once for dark: a colour in a screen is one that somebody forgets in the other look.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainPage } from '../../main/web/plain-page.ts';

const source = join(import.meta.dirname, '../../renderer/src');
/** Where colours are: the tokens, and the scales that the kit asks for. */
const homes = ['ui/tokens.css', 'ui/theme.ts'];
const literal = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|rgba|hsl|hsla|oklch|lab)\(/gi;

const colours = (name: string, text: string): string[] =>
  // An address in the window begins with the same sign.
  [...text.matchAll(literal)].filter(({ index }) => !/[\w/&]$/.test(text.slice(0, index))).map(([found]) => `${name}: ${found}`);

test('no file of the renderer but the tokens has a colour of its own', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:css|tsx?)$/.test(name));
  expect(files.filter((name) => !homes.includes(name)).flatMap((name) => colours(name, readFileSync(join(source, name), 'utf8')))).toEqual(
    [],
  );
});

test('a colour is found in whatever way it is written', () => {
  expect(colours('x', 'color: #Fff; a: #12345678; b: rgb(1 2 3); c: hsla(1,2,3)').length).toBe(4);
  expect(colours('x', 'var(--accent) url(a/#abc) &#123; #face1')).toEqual([]);
});

const tokens = readFileSync(join(source, 'ui/tokens.css'), 'utf8');

/** The names that all blocks of a selector define. */
const namesIn = (selector: string): string[] =>
  [...tokens.matchAll(/([^{}]+)\{([^}]*)\}/g)]
    .filter(([, head]) => head?.includes(selector))
    .flatMap(([, , body]) => [...(body ?? '').matchAll(/(--[\w-]+):/g)].map(([, name]) => name ?? ''));

test('each colour of the light look has one in the dark look', () => {
  expect(namesIn('scheme="light"').sort()).toEqual(namesIn('scheme="dark"').sort());
});

test('whatever stands in var() is a token, or a measure that its own file sets', () => {
  const known = new Set([...namesIn(':root'), ...namesIn('scheme="light"')]);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  const unknown = files.flatMap((name) => {
    const text = readFileSync(join(source, name), 'utf8');
    return [...text.matchAll(/var\((--[\w-]+)/g)]
      .map(([, found]) => found ?? '')
      .filter((found) => !known.has(found) && !found.startsWith('--mantine') && !text.includes(`${found}:`))
      .map((found) => `${name}: ${found}`);
  });
  expect(unknown).toEqual([]);
});

/** What a text says of each colour, in its order: once for light, once for dark. */
const valuesIn = (text: string): Map<string, string[]> => {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(/(--[\w-]+):\s*(#[0-9a-f]+)/g))
    values.set(name, [...(values.get(name) ?? []), value]);
  return values;
};

test('the pages without the app have its colours', () => {
  const [ours, theirs] = [valuesIn(tokens), valuesIn(plainPage('', ''))];
  expect(theirs.size).toBeGreaterThan(0);
  expect([...theirs].filter(([name, values]) => values.join() !== ours.get(name)?.join())).toEqual([]);
});
