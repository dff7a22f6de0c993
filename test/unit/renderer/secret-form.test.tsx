// Secrets in the window: what is typed goes to the host and nowhere else, and nothing is deleted by one careless press.
import { act } from 'react';
import { expect, test } from 'vitest';
import { setWords } from '../../../renderer/src/secrets/set-words.ts';
import { reduceEvent, reduceSnapshot } from '../../../renderer/src/store/reduce.ts';
import { emptyState, type Snapshot } from '../../../renderer/src/store/state.ts';
import { TypedQuestion } from '../../../renderer/src/ui/confirm-typed.tsx';
import { readingMs } from '../../../renderer/src/ui/notify.tsx';
import { SecretForm, secretNameProblem, valueNote } from '../../../renderer/src/ui/SecretForm.tsx';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import { button, draw, field, submit, type } from './drawn.tsx';

const value = 'tok_4f9a2c7d1e';

const open = (takes: boolean, name?: string, known: readonly string[] = []): [string, string][] => {
  const saved: [string, string][] = [];
  const onSave = async (...given: [string, string]) => {
    saved.push(given);
    return takes;
  };
  draw(<SecretForm name={name} known={known} isBusy={false} onSave={onSave} onCancel={() => undefined} />);
  return saved;
};

test('a value is typed unseen, handed over once, and gone from the page then', async () => {
  const saved = open(true);
  expect([field('Value').type, field('Value').autocomplete, button('Add secret').disabled]).toEqual(['password', 'new-password', true]);
  type(field('Name'), 'TOKEN');
  type(field('Value'), value);
  expect(button('Add secret').disabled).toBe(false);
  await submit(field('Value'));
  expect([saved, field('Value').value, document.body.innerHTML.includes(value)]).toEqual([[['TOKEN', value]], '', false]);
});

test('what the host did not take stays to be corrected', async () => {
  const saved = open(false, 'TOKEN');
  type(field('Value'), value);
  await submit(field('Value'));
  expect([saved, field('Value').value]).toEqual([[['TOKEN', value]], value]);
});

const paste = (input: HTMLElement, text: string): void => {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  act(() => void input.dispatchEvent(Object.assign(event, { clipboardData: { getData: () => text } })));
};

test('a key of several lines keeps them when it is pasted, and is not typed on', async () => {
  const saved = open(true, 'KEY');
  paste(field('Value'), '-----BEGIN-----\nabc\ndef\n-----END-----\n');
  expect([document.body.textContent?.includes('Pasted: 4 lines'), field('Value').readOnly]).toEqual([true, true]);
  await submit(field('Value'));
  expect([saved, field('Value').readOnly]).toEqual([[['KEY', '-----BEGIN-----\nabc\ndef\n-----END-----']], false]);
});

test('what is pasted in one line goes into the field, and a paste of lines can be given up', () => {
  open(true, 'KEY');
  paste(field('Value'), `${value}\n`);
  expect(field('Value').readOnly).toBe(false);
  paste(field('Value'), 'a\nb');
  act(() => button('Type another').click());
  expect([field('Value').value, field('Value').readOnly]).toEqual(['', false]);
});

test('a name that is set already is told to be replaced', () => {
  open(true, undefined, ['TOKEN']);
  type(field('Name'), 'TOKEN');
  expect([document.body.textContent?.includes('TOKEN is set already'), button('Set value').disabled]).toEqual([true, true]);
});

test('a wrong name is said and cannot be saved', async () => {
  const saved = open(true);
  type(field('Name'), 'API-TOKEN');
  type(field('Value'), value);
  await submit(field('Value'));
  expect([document.body.textContent?.includes('Use letters, digits and _'), button('Add secret').disabled, saved]).toEqual([
    true,
    true,
    [],
  ]);
});

test.each([
  ['TOKEN_1', null],
  ['_x', null],
  ['1TOKEN', 'Use letters'],
  ['TO KEN', 'Use letters'],
  ['', 'Use letters'],
  ['SANDLOT_HOME', 'used by the sandbox'],
])('the name %j: %j', (name, expected) => {
  const problem = secretNameProblem(name);
  expect(expected === null ? problem : problem?.includes(expected)).toBe(expected === null ? null : true);
});

test.each([
  ['', null, null],
  ['abc', 'not be masked', false],
  ['abcd', 'not searched', false],
  ['abcdefg ', 'not searched', false],
  ['abcdefgh', null, null],
  ['é'.repeat(32_768), null, null],
  ['é'.repeat(32_769), '64 KiB', true],
])('of a value like %.10j it says %j', (given, expected, isProblem) => {
  const note = valueNote(given);
  expect([note === null ? null : note.text.includes(expected ?? '?'), note?.isProblem ?? null]).toEqual([
    expected === null ? null : true,
    isProblem,
  ]);
});

test('a deletion waits for the name to be typed', async () => {
  const did: string[] = [];
  const question = { word: 'TOKEN', confirm: 'Delete secret', body: 'Gone for good.', onClose: () => did.push('closed') };
  draw(<TypedQuestion {...question} onConfirm={() => did.push('deleted')} />);
  const typed = field('Type TOKEN to confirm');
  for (const text of ['TOKE', 'token', '']) {
    type(typed, text);
    expect(button('Delete secret').disabled).toBe(true);
    await submit(typed);
  }
  expect(did).toEqual([]);
  type(typed, 'TOKEN');
  await submit(typed);
  expect(did).toEqual(['closed', 'deleted']);
});

test('a changed list of secrets replaces the one that the window knows', () => {
  const list = { secrets: [], missing: [{ name: 'TOKEN', environments: [] }], key: null };
  const known = reduceSnapshot(emptyState, {
    seq: 1,
    environments: [],
    builds: [],
    setup_runs: [],
    sessions: [],
    terminals: [],
    agents: [],
  } as unknown as Snapshot);
  expect(reduceEvent(known, { seq: 2, name: 'secrets.changed', payload: list } as AppEvent).secrets).toEqual(list);
});

test.each([
  [[], [], /^TOKEN is set\. No environment has it yet/],
  [
    ['web', 'api'],
    [],
    /^TOKEN is set\. Sessions of web, api get it: a file at once, a variable in their next terminal, command or launch\.$/,
  ],
  // What runs was launched without it.
  [[], ['web'], /^TOKEN is set\. New sessions of web have it; one that runs offers it on its page\.$/],
  [['web'], ['api'], /Sessions of web get it: .* New sessions of api have it/],
])('of a secret that %j had and %j are given is said whom it reaches, and when', (had, given, words) =>
  expect(setWords('TOKEN', { had: had.map((name) => ({ name })), given: given.map((name) => ({ name })) })).toMatch(words),
);

test('of a value that replaces another it is said that it is new, and that only who has the secret gets it', () =>
  expect(setWords('TOKEN', { had: [{ name: 'web' }], given: [], isReplaced: true })).toMatch(
    /^TOKEN has a new value\. Sessions of web that have it get it: a file at once/,
  ));

test('a message stands as long as it takes to read it', () =>
  expect([readingMs('Saved.', 3000), readingMs('x'.repeat(120), 3000), readingMs('Saved.', 8000)]).toEqual([3000, 9600, 8000]));
