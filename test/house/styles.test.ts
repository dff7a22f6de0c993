// A screen's styles come with that screen: what another screen draws with them looks bare until the first one was opened. So a class is
// styled where it is drawn, or in the kit, which is always there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../renderer/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const textOf = (name: string): string => readFileSync(join(source, name), 'utf8');
const folderOf = (name: string): string => name.split('/')[0] ?? '';

/** For a narrow window things are only laid out otherwise. */
const adjusting = 'shell/narrow.css';

/** Classes that a rule is about by themselves, by the folders that have such rules. */
const styledIn = (sheets: readonly (readonly [name: string, text: string])[]): Map<string, Set<string>> => {
  const folders = new Map<string, Set<string>>();
  for (const [name, text] of sheets) {
    for (const [, found = ''] of text.matchAll(/(?:^|,\s*)\.([a-z][\w-]*)(?=\s*[,{])/gm))
      folders.set(found, (folders.get(found) ?? new Set()).add(folderOf(name)));
  }
  return folders;
};

const classesIn = (text: string): string[] =>
  [...text.matchAll(/className=(?:"([^"]+)"|\{`([^`]+)`\})/g)].flatMap(([, plain, made]) => (plain ?? made ?? '').split(/[^\w-]+/));

/** Classes that are drawn with but styled only in other screens. */
const astray = (folder: string, classes: readonly string[], styled: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  classes.filter((name) => {
    const folders = [...(styled.get(name) ?? [])];
    return folders.length > 0 && !folders.some((one) => one === folder || one === 'ui' || one === 'shell');
  });

test('no screen draws with a class that only another screen styles', () => {
  const sheets = files.filter((name) => name.endsWith('.css') && name !== adjusting).map((name) => [name, textOf(name)] as const);
  const styled = styledIn(sheets);
  const found = files
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => astray(folderOf(name), classesIn(textOf(name)), styled).map((one) => `${name}: ${one}`));
  expect(found).toEqual([]);
});

test('a class that only another screen styles is found', () => {
  const styled = styledIn([
    ['environment/x.css', '.tool-bar {\n}\n.own .tag {\n}\n'],
    ['ui/y.css', '.tag,\n.row {\n}\n'],
  ]);
  expect(astray('session', classesIn('<div className="tool-bar row"><i className={`tag ${x}`} /></div>'), styled)).toEqual(['tool-bar']);
  expect(astray('environment', ['tool-bar'], styled)).toEqual([]);
});
