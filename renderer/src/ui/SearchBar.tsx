// The field that searches in a log or a terminal.
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useState } from 'react';

interface SearchBarProps {
  /** `here` is said while it is typed: a match that still holds stays. */
  onFind: (text: string, way: 'here' | 'next' | 'previous') => void;
  /** Which match is shown, from 0, and how many there are; null where nothing was searched for. */
  count: { index: number; total: number } | null;
  onClose: () => void;
}

const countText = (text: string, count: SearchBarProps['count']): string => {
  if (text === '' || !count) return '';
  return count.total === 0 ? 'none' : `${count.index + 1} / ${count.total}`;
};

/** The field. */
export const SearchBar = ({ onFind, count, onClose }: SearchBarProps) => {
  const [text, setText] = useState('');
  return (
    <search className="stream-search">
      <TextInput
        aria-label="Search in the output"
        placeholder="Search"
        data-autofocus
        autoFocus
        w={180}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onFind(event.currentTarget.value, 'here');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') onFind(text, event.shiftKey ? 'previous' : 'next');
        }}
      />
      <span className="faint num stream-search-count" role="status">
        {countText(text, count)}
      </span>
      <Tooltip label="Previous (Shift+Enter)">
        <ActionIcon aria-label="Previous match" onClick={() => onFind(text, 'previous')}>
          <IconChevronUp size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next (Enter)">
        <ActionIcon aria-label="Next match" onClick={() => onFind(text, 'next')}>
          <IconChevronDown size={14} />
        </ActionIcon>
      </Tooltip>
      <ActionIcon aria-label="Close search" onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </search>
  );
};
