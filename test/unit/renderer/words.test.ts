// Words that every screen and command shares: numbers with their nouns are said by one function, and so are sizes, in one family of units.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcomeOf as outcomeInStore } from '../../../renderer/src/store/egress-outcome.ts';
import { canRuleHelp, outcomeOf, outcomeWord } from '../../../renderer/src/ui/egress-outcome.ts';
import { fieldWord } from '../../../renderer/src/ui/field-words.ts';
import { counted, cutMiddle, momentText } from '../../../renderer/src/ui/format.ts';
import { networkOf } from '../../../renderer/src/ui/network-words.ts';
import { counted as countedInEngine } from '../../../sandbox-engine/base/counted.ts';
import { fieldWord as fieldWordInEngine } from '../../../sandbox-engine/base/field-words.ts';
import { environmentPatch } from '../../../sandbox-engine/contract/calls/environment-body.ts';
import { failureReasons, outcomeOf as outcomeInEngine } from '../../../sandbox-engine/contract/egress-outcome.ts';
import { reasonCodes } from '../../../sandbox-engine/contract/model.ts';

test.each([
  [0, 'rule', undefined, '0 rules'],
  [1, 'rule', undefined, '1 rule'],
  [2, 'rule', undefined, '2 rules'],
  [1, 'entry', 'entries', '1 entry'],
  [1_200, 'entry', 'entries', '1,200 entries'],
])('%i of a thing', (count, one, many, text) => {
  expect([counted(count, one, many), countedInEngine(count, one, many)]).toEqual([text, text]);
});

test.each([
  ['gate', false, { 'network rules': 'closed' }, 'No access'],
  ['gate', false, { 'network rules': '0123456789abcdef' }, 'By rules'],
  ['gate', false, undefined, 'By rules'],
  ['gate', true, { 'network rules': 'closed' }, 'Observed: everything public'],
  ['none', false, undefined, 'No access'],
  ['unrestricted', false, undefined, 'Unrestricted'],
] as const)('the network %s of a session, observed %s, with %j is called %s', (network, observed, config, word) => {
  expect(networkOf({ network, observed, ...(config === undefined ? {} : { config }) }).word).toBe(word);
});

const root = join(import.meta.dirname, '../../..');
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** `${n} rules`, `n === 1 ? '' : 's'`: a number whose noun does not look at it, or looks by hand. */
const byHand =
  /=== 1 \? '' : 's'|\$?\{(?:[\w.]+\.length|count|total)\} (?:rule|host|session|environment|attempt|destination|file|image|agent|problem|warning)s?\b/;
/** Sizes by powers of ten. */
const otherUnits = /\$\{[^}]*\} ?[kKMG]B\b/;

test('no number stands before its noun by hand, and no size has another unit, in the app, on the command line and in the engine', () => {
  const found = ['renderer/src', 'main', 'sandbox-engine'].flatMap(sourcesOf).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => byHand.test(line) || otherUnits.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('what failed beyond the policy is told from what was blocked, as in the engine, and no rule is offered for it', () => {
  const blocked = reasonCodes.map((reason) => ({ verdict: 'blocked' as const, reason }));
  expect(blocked.map(outcomeOf)).toEqual(blocked.map(outcomeInEngine));
  expect(blocked.map(outcomeInStore)).toEqual(blocked.map(outcomeInEngine));
  expect(blocked.filter(({ reason }) => failureReasons.includes(reason)).map(outcomeWord)).toEqual(['Not found', 'Not reached']);
  expect(blocked.filter(canRuleHelp).map(({ reason }) => reason)).toEqual([
    ...['no_rule', 'denied_by_rule', 'port_not_allowed', 'ip_literal', 'private_address', 'not_recognised', 'policy_changed'],
  ]);
});

test('a moment has its day in letters, which nobody reads the other way round', () =>
  expect(momentText('2026-03-04T05:06:07')).toBe('4 Mar 2026, 05:06:07'));

test('a field of an environment has a word wherever it is named, and the same in the window as in the engine', () => {
  const fields = [...Object.keys(environmentPatch.shape), 'image_id', 'runtime_layer', 'recipe', 'runtime'];
  expect(fields.map(fieldWord)).toEqual(fields.map(fieldWordInEngine));
  expect(fields.map(fieldWord).filter((word) => word.includes('_'))).toEqual([]);
  expect(['image_id', 'network_policy', 'repo', 'secret_files'].map(fieldWord)).toEqual(['image', 'network', 'repository', 'secret files']);
});

test.each([
  ['sandlot-ses_01m8pg0000aaaaaaaaaaaaaaab', 'sandlot-ses…aaaaab'],
  ['sandlot-ses_01m8pg', 'sandlot-ses_01m8pg'],
])('of a long name, %s, the end stays: %s', (name, shown) => expect(cutMiddle(name)).toBe(shown));
