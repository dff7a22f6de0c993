// Every id of the network corpus is claimed by the name of some test. Whether those tests ran and passed is counted by `npm run test:egress`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { closedTable } from '../egress/closed-table.ts';
import { corpusRows } from '../egress/corpus/rows.ts';
import { corpusIds, idsIn } from '../egress/corpus-ids.ts';

const root = resolve(import.meta.dirname, '..');

/** Ids in names as they are written: `'C06, C08: …'`, and the first field of a table's row, `['K01', …`. */
const claimedIn = (text: string): string[] => [
  ...[...text.matchAll(/['"`]((?:[A-K]\d\d(?:, )?)+): /g)].flatMap(([, list]) => idsIn(`${list}:`)),
  ...[...text.matchAll(/\['([A-K]\d\d)',/g)].map(([, id = '']) => id),
];

test('no id of the corpus is without a test', () => {
  const names = ['unit', 'runtime', 'egress'].flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[]).map((name) => join(root, folder, name)),
  );
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => readFileSync(name, 'utf8'));
  const claimed = new Set([...files.flatMap(claimedIn), ...corpusRows.map(({ id }) => id), ...closedTable([]).map(([id]) => id)]);
  expect(corpusIds.filter((id) => !claimed.has(id))).toEqual([]);
});

test.each([
  ['A01: TLS to an allowed name', ['A01']],
  ["a sandbox on 'docker' as 'root' A01: TLS", ['A01']],
  ["G22: tried as 'root' F01: UDP is refused at once", ['G22', 'F01']],
  ['C06, C08: other records', ['C06', 'C08']],
  ['nothing of the sort', []],
])('%s claims %j', (name, ids) => {
  expect(idsIn(name)).toEqual(ids);
});
