// How the command line takes secrets: never shown, never needed on a command line.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSecrets, takeKeys } from '../../../main/cli/read-secret.ts';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

const value = 'tok_4f9a2c7d1e';

/** A host that keeps what it is told to set. */
const open = async () => {
  const set: unknown[] = [];
  const small = await startSmallHost(undefined, () => ({
    'secrets.set': async (given) => {
      set.push(given);
      const at = '2026-11-29T10:00:00.000Z';
      const { length } = given.value;
      const lengths = { is_masked: length >= 4, is_searched: length >= 8 };
      return { name: given.name, version: 1, created_at: at, updated_at: at, last_used_at: null, environments: [], ...lengths };
    },
  }));
  return { set, run: (words: string[], input?: string) => runSandlot(small.dataFolder, words, input === undefined ? {} : { input }) };
};

test.each<[string, string[], string, string]>([
  ['standard input, without the end of its last line', ['secret', 'set', 'TOKEN'], `${value}\n`, value],
  ['several lines of it as they are', ['secret', 'set', 'TOKEN'], 'a b\n\nc\r\n', 'a b\n\nc'],
  ['--value', ['secret', 'set', 'TOKEN', '--value', ` ${value} `], '', ` ${value} `],
])('a value comes from %s and is not repeated', async (_, words, input, expected) => {
  const { set, run } = await open();
  const { code, stdout, stderr } = await run(words, input);
  expect([code, set], stderr).toEqual([0, [{ name: 'TOKEN', value: expected }]]);
  expect(`${stdout}${stderr}`).not.toContain(value);
});

test('a value comes from a file', async () => {
  const { set, run } = await open();
  const file = join(await temporaryFolder(), 'key');
  await writeFile(file, '-----BEGIN-----\nabc\n-----END-----\n');
  expect((await run(['secret', 'set', 'KEY', '--file', file])).code).toBe(0);
  expect(set).toEqual([{ name: 'KEY', value: '-----BEGIN-----\nabc\n-----END-----' }]);
});

test.each([
  ['abc', 'is not masked'],
  ['abcdefg', 'images are not searched'],
])('of a value as short as "%s" it says what that costs', async (short, told) => {
  const { run } = await open();
  expect((await run(['secret', 'set', 'TOKEN'], short)).stderr).toContain(told);
});

test('two sources of one value, and a reset that nobody agreed to, are wrong usage', async () => {
  const { run, set } = await open();
  const both = await run(['secret', 'set', 'TOKEN', '--value', 'x', '--file', '/dev/null']);
  expect([both.code, (await run(['secret', 'reset'])).code, set]).toEqual([2, 2, []]);
});

test.each<[string, string, ReturnType<typeof takeKeys>]>([
  ['', 'tok', { state: 'more', text: 'tok' }],
  ['tok', '\u007f\u007fé', { state: 'more', text: 'té' }],
  ['', '\u007f', { state: 'more', text: '' }],
  ['tok', '_1\r', { state: 'done', text: 'tok_1' }],
  ['tok', '\u0004', { state: 'done', text: 'tok' }],
  ['tok', 'a\u0003', { state: 'interrupted' }],
  ['', 'one\rtwo', { state: 'lines' }],
])('after %j the keys %j', (before, piece, expected) => {
  expect(takeKeys(before, piece)).toEqual(expected);
});

test('a secret for one session is given whole or taken from our own variables', () => {
  expect(parseSecrets(['A=1=2', 'B', 'C='], { B: 'two words' })).toEqual({ A: '1=2', B: 'two words', C: '' });
  expect(() => parseSecrets(['MISSING'], {})).toThrow('There is no variable MISSING here');
  expect(() => parseSecrets(['=x'], {})).toThrow('without a name');
});
