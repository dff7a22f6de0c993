// Every link of the docs leads somewhere, to the heading that it names, and every picture is one that the script takes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = [
  'README.md',
  'CHANGELOG.md',
  'DECISIONS.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** A page without what stands in fences, where a bracket is no link. */
const proseOf = (page: string): string => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** The anchors of a page as renderers of Markdown make them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const linksOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));

/** Why a link leads nowhere; null when it leads somewhere. */
const fault = (page: string, target: string): string | null => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, file))) return `${target}: there is no ${file}`;
  return anchor === undefined || anchorsOf(file).has(anchor) ? null : `${target}: ${file} has no such heading`;
};

describe('the docs', () => {
  test.each(pages)('links of %s lead somewhere', (page) => {
    expect(linksOf(page).flatMap((target) => fault(page, target) ?? [])).toEqual([]);
  });

  test('a link to nothing would be seen', () => {
    expect([fault('README.md', 'docs/nowhere.md'), fault('README.md', 'docs/cli.md#nowhere'), fault('docs/cli.md', '#the-host')]).toEqual([
      'docs/nowhere.md: there is no docs/nowhere.md',
      'docs/cli.md#nowhere: docs/cli.md has no such heading',
      null,
    ]);
  });

  test('every page is reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      const next = linksOf(page).map((target) => relative(root, join(root, dirname(page), target.split('#')[0] ?? '')));
      for (const one of next) if (one.endsWith('.md')) reached.add(one);
    }
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  test('every picture is shown somewhere, is taken by the script, and is small', () => {
    const taken = readFileSync(join(root, 'test/pictures/take-pictures.ts'), 'utf8');
    const shown = new Set(
      pages.flatMap((page) =>
        linksOf(page)
          .filter((target) => target.endsWith('.png'))
          .map((target) => target.split('/').at(-1)),
      ),
    );
    const kept = readdirSync(join(root, 'docs/pictures'));
    const isTaken = (name: string): boolean =>
      taken.includes(`'${name.replace(/-(light|dark)\.png$/, '')}'`) || taken.includes(`'${name.slice(0, -4)}'`);
    expect(kept.filter((name) => !shown.has(name) || !isTaken(name))).toEqual([]);
    expect(kept.filter((name) => readFileSync(join(root, 'docs/pictures', name)).length > 80_000)).toEqual([]);
  });

  test('docs/screens.md shows every page of the app', () => {
    const routes = new Set(
      [...readFileSync(join(root, 'renderer/src/App.tsx'), 'utf8').matchAll(/path="\/([a-z]+)/g)].map(([, name]) => name),
    );
    const anchors = anchorsOf('docs/screens.md');
    expect([...routes].filter((name) => ![name, `${name}-log`].some((anchor) => anchors.has(String(anchor))))).toEqual([]);
  });
});
