import { expect, test } from 'vitest';
import { listCommands } from '../../../main/cli/completion.ts';
import { exitCodeOf } from '../../../main/cli/exit-codes.ts';
import { parseSettings } from '../../../main/cli/parse-settings.ts';
import { toSize, toTable } from '../../../main/cli/print.ts';
import { createProgram } from '../../../main/cli/program.ts';
import { prunedWords } from '../../../main/cli/pruned-words.ts';
import { type ErrorCode, errorCodes } from '../../../sandbox-engine/contract/errors.ts';

test.each<[ErrorCode, number]>([
  ['invalid_request', 2],
  ['recipe_invalid', 2],
  ['unknown_call', 2],
  ['too_large', 2],
  ['not_found', 3],
  ['runtime_not_found', 3],
  ['revision_conflict', 4],
  ['precondition_required', 4],
  ['environment_not_verified', 4],
  ['registry_locked', 4],
  ['runtime_unavailable', 5],
  ['runtime_permission_denied', 5],
  ['host_unreachable', 6],
  ['build_failed', 1],
  ['internal', 1],
])('%s ends with %i', (code, exitCode) => {
  expect(exitCodeOf(code)).toBe(exitCode);
});

test('what is removed by one of two usual words is removed by the other, too', () => {
  const groups = [createProgram(), ...createProgram().commands].flatMap(({ commands }) => commands);
  const removals = groups
    .map((command) => [command.name(), ...command.aliases()])
    .filter((words) => words.some((word) => /^(rm|delete)$/.test(word)));
  expect(removals.length).toBeGreaterThan(4);
  expect(removals.map((words) => words.sort())).toEqual(removals.map(() => ['delete', 'rm']));
});

test('whatever is done for good can be agreed to beforehand, and only that', () => {
  const found = listCommands(createProgram()).filter(({ options }) => options.includes('--yes'));
  expect(found.map(({ words }) => words).sort()).toEqual([
    ...['agent delete', 'env delete', 'image rm', 'prune', 'secret reset', 'secret rm', 'session replace', 'template delete'],
  ]);
});

const inCache = 'What a build made of it stays in the build cache of Docker: docker builder prune frees it.';
test.each<[boolean, number, ('image' | 'volume' | 'container')[], number | null, string]>([
  [false, 0, ['volume', 'volume'], 1024, 'Nothing was removed yet: run `sandlot prune --yes`. It is 2.0 KiB.'],
  [true, 2, ['volume', 'container'], 1024, '2 removed: 2.0 KiB.'],
  [true, 1, ['volume'], null, '1 removed: at least 0 B.'],
  [true, 1, ['image'], 20_000_000, `1 removed: 19.1 MiB.\n${inCache}`],
  [true, 1, ['image', 'image'], 1024, '1 of 2 removed: something outside Sandlot still uses the rest.'],
])('pruned (%s, %s): says how much it is, and what is left of it', (isDone, removed, kinds, size, said) => {
  const items = kinds.map((kind) => ({ kind, name: 'n', runtime: 'docker', size, reason: 'nobody' }));
  expect(prunedWords({ items, removed }, isDone)).toBe(said);
});

test('no error ends with 0', () => {
  expect(errorCodes.filter((code) => exitCodeOf(code) === 0)).toEqual([]);
});

test.each<[string[], unknown]>([
  [['a=1'], { a: 1 }],
  [['a=one'], { a: 'one' }],
  [['a='], { a: '' }],
  [['a="1"'], { a: '1' }],
  [['a=b=c'], { a: 'b=c' }],
  [['network_policy={}'], { network_policy: {} }],
  [['setup.script=make test', 'setup.timeout_seconds=10'], { setup: { script: 'make test', timeout_seconds: 10 } }],
  [['a=null'], { a: null }],
])('--set %j', (settings, patch) => {
  expect(parseSettings(settings)).toEqual(patch);
});

test.each(['a', '=a', ''])('--set "%s" is refused', (setting) => {
  expect(() => parseSettings([setting])).toThrow('is not a setting');
});

test.each([
  [null, '-'],
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1_610_612_736, '1.5 GiB'],
])('%s bytes read %s', (bytes, text) => {
  expect(toSize(bytes)).toBe(text);
});

test('a table is plain, and a name cannot steer the terminal', () => {
  expect(
    toTable(
      ['A', 'B'],
      [
        ['x\u001b[31m', null],
        ['yy', 1],
      ],
    ),
  ).toBe('A       B\nx [31m  -\nyy      1');
});
