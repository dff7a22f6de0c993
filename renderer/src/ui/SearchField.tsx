// The field that narrows a list. `/` jumps to it, Escape empties it, the arrow down leads into the rows.

import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';

interface SearchFieldProps {
  /** What it says to a screen reader. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** To the row of the list that Tab comes to. */
const goToRows = (event: KeyboardEvent): void => {
  const row = document.querySelector<HTMLElement>('[data-row][tabindex="0"]');
  if (row === null) return;
  event.preventDefault();
  row.focus();
};

/** The field. */
export const SearchField = ({ label, placeholder, value, onChange, className }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      {...(className === undefined ? { w: 300 } : { className })}
      leftSection={<IconSearch size={14} />}
      placeholder={placeholder}
      aria-label={label}
      aria-keyshortcuts="/"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => (event.key === 'ArrowDown' ? goToRows(event) : event.key === 'Escape' && onChange(''))}
    />
  );
};
