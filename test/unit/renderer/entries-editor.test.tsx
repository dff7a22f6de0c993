// The list of named texts of a form.
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { EntriesEditor, type Entry } from '../../../renderer/src/ui/EntriesEditor.tsx';
import { button, draw } from './drawn.tsx';

const Form = () => {
  const [value, setValue] = useState<Entry[]>([{ name: 'First', text: 'make' }]);
  return <EntriesEditor value={value} onChange={setValue} noun="step" mode="shell" namePlaceholder="" />;
};

test('an entry that is added has the cursor in its name', async () => {
  draw(<Form />);
  await act(async () => button('Add step').click());
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Name of step 2');
});

test('an empty entry says what goes into each of its fields', async () => {
  draw(<Form />);
  await act(async () => button('Add step').click());
  expect([...document.querySelectorAll('.cm-placeholder')].map((one) => one.textContent)).toEqual(['Commands, one a line']);
});

const two = [
  { name: 'First', text: 'make' },
  { name: 'Second', text: 'cd /\nmake two' },
];

test('of the entry that failed in a build the line is marked, and what the build said stands below it', () => {
  const failed = { name: 'Second', line: 2, text: 'Line 2 failed in the last build: no rule' };
  draw(<EntriesEditor value={two} onChange={() => undefined} noun="step" mode="shell" namePlaceholder="" failed={failed} />);
  expect([
    [...document.querySelectorAll('.is-failed input')].map((one) => (one as HTMLInputElement).value),
    [...document.querySelectorAll('.cm-marked-bad')].map((one) => one.textContent),
    document.querySelector('.list-entry-said')?.textContent,
  ]).toEqual([['Second'], ['make two'], 'Line 2 failed in the last build: no rule']);
});
