// The field that narrows a list leads into its rows.
import { act } from 'react';
import { expect, test } from 'vitest';
import { SearchField } from '../../../renderer/src/ui/SearchField.tsx';
import { draw } from './drawn.tsx';

test('the arrow down goes from the search to the row that Tab comes to', () => {
  draw(
    <>
      <SearchField label="Search" placeholder="Search" value="" onChange={() => undefined} />
      <button type="button" data-row={0} tabIndex={-1}>
        first
      </button>
      <button type="button" data-row={1} tabIndex={0}>
        second
      </button>
    </>,
  );
  const search = document.querySelector('input');
  act(() => search?.focus());
  act(() => void search?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })));
  expect(document.activeElement?.textContent).toBe('second');
});
