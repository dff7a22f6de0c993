// The focus goes on where what had it was removed.
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { useKeptFocus } from '../../../renderer/src/shell/use-kept-focus.ts';
import { ChipField } from '../../../renderer/src/ui/ChipField.tsx';
import { TagField } from '../../../renderer/src/ui/TagField.tsx';
import { draw } from './drawn.tsx';

const Rows = () => {
  const [rows, setRows] = useState(['a', 'b', 'c']);
  useKeptFocus();
  return (
    <div className="shell">
      <main id="main" tabIndex={-1}>
        <section>
          {rows.map((row) => (
            <div key={row}>
              <button type="button" aria-label={`Remove ${row}`} onClick={() => setRows(rows.filter((one) => one !== row))} />
            </div>
          ))}
        </section>
        <footer>
          <button type="button" aria-label="Add" />
        </footer>
      </main>
    </div>
  );
};

const focused = () => document.activeElement?.getAttribute('aria-label');

const press = async (label: string) => {
  const button = document.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  await act(async () => button?.focus());
  await act(async () => button?.click());
};

test('a row that is removed hands the focus to the next one, the last one to that before it, the only one to what comes after', async () => {
  draw(<Rows />);
  const seen: unknown[] = [];
  for (const row of ['b', 'c', 'a']) {
    await press(`Remove ${row}`);
    seen.push(focused());
  }
  expect(seen).toEqual(['Remove c', 'Remove a', 'Add']);
});

const Chips = () => {
  const [value, setValue] = useState(['a', 'b']);
  return <ChipField label="Hosts" value={value} onChange={setValue} problems={new Map()} />;
};

const Tags = () => {
  const [value, setValue] = useState(['a', 'b']);
  return <TagField aria-label="Packages" value={value} onChange={setValue} />;
};

test('a chip that is removed leaves the cursor in its field', async () => {
  draw(<Chips />);
  await press('Remove a');
  expect(focused()).toBe('Hosts');
});

test('so does a tag', async () => {
  draw(<Tags />);
  await act(async () => document.querySelector<HTMLElement>('.mantine-Pill-remove')?.click());
  expect([focused(), document.querySelectorAll('.mantine-Pill-root').length]).toEqual(['Packages', 1]);
});
