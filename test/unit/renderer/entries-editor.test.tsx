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

test('the entry that failed in a build is marked', () => {
  const value = [
    { name: 'First', text: 'make' },
    { name: 'Second', text: 'make two' },
  ];
  draw(<EntriesEditor value={value} onChange={() => undefined} noun="step" mode="shell" namePlaceholder="" failed="Second" />);
  expect([...document.querySelectorAll('.is-failed input')].map((one) => (one as HTMLInputElement).value)).toEqual(['Second']);
  expect(document.body.textContent).toContain('Failed in the last build.');
});
