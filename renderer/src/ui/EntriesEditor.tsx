// A list of named texts that can be put in order: build steps, start steps, knowledge.
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { CodeField } from './CodeField.tsx';
import type { CodeMark } from './code-marks.ts';

export interface Entry {
  name: string;
  text: string;
}

interface EntriesEditorProps {
  value: readonly Entry[];
  onChange: (value: Entry[]) => void;
  /** What one entry is: "step". */
  noun: string;
  mode: 'shell' | 'text';
  namePlaceholder: string;
  /** The one that failed, the line of its text (1-based) where that is known, and what is said of it. */
  failed?: { name: string; line: number | null; text: string } | null;
}

const none: readonly CodeMark[] = [];

const moved = (entries: readonly Entry[], from: number, to: number): Entry[] => {
  const next = [...entries];
  const [entry] = next.splice(from, 1);
  if (entry) next.splice(to, 0, entry);
  return next;
};

interface EntryButtonsProps {
  index: number;
  count: number;
  label: string;
  onMove: (to: number) => void;
  onRemove: () => void;
}

const EntryButtons = ({ index, count, label, onMove, onRemove }: EntryButtonsProps) => (
  <div className="row" style={{ gap: 2 }}>
    <Tooltip label="Move up">
      <ActionIcon aria-label={`Move ${label} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
        <IconArrowUp size={14} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Move down">
      <ActionIcon aria-label={`Move ${label} down`} disabled={index === count - 1} onClick={() => onMove(index + 1)}>
        <IconArrowDown size={14} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Remove">
      <ActionIcon aria-label={`Remove ${label}`} onClick={onRemove}>
        <IconTrash size={14} />
      </ActionIcon>
    </Tooltip>
  </div>
);

/** Adds an empty entry and brings the cursor into its name, which brings it into sight. */
const useAdding = ({ value, onChange }: Pick<EntriesEditorProps, 'value' | 'onChange'>) => {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef(-1);
  useEffect(() => {
    if (added.current !== value.length - 1) return;
    added.current = -1;
    const entry = list.current?.querySelectorAll('.list-entry')[value.length - 1];
    entry?.querySelector('input')?.focus();
    entry?.scrollIntoView({ block: 'nearest' });
  }, [value.length]);
  const add = () => {
    added.current = value.length;
    onChange([...value, { name: '', text: '' }]);
  };
  return { list, add };
};

/** The list. */
export const EntriesEditor = ({ value, onChange, noun, mode, namePlaceholder, failed = null }: EntriesEditorProps) => {
  const { list, add } = useAdding({ value, onChange });
  const line = failed?.line ?? null;
  const marks = useMemo((): readonly CodeMark[] => (line === null ? none : [{ line, tone: 'bad' }]), [line]);
  const replace = (index: number, entry: Entry) => onChange(value.map((known, at) => (at === index ? entry : known)));
  return (
    <div className="list-editor" ref={list}>
      {value.map((entry, index) => {
        const hasFailed = failed !== null && entry.name === failed.name;
        const label = entry.name || `${noun} ${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their place
          <div key={index} className={hasFailed ? 'list-entry is-failed' : 'list-entry'}>
            <span className="list-entry-index num">{index + 1}</span>
            <div className="stack-tight" style={{ gap: 6 }}>
              <TextInput
                aria-label={`Name of ${noun} ${index + 1}`}
                placeholder={namePlaceholder}
                value={entry.name}
                onChange={(event) => replace(index, { ...entry, name: event.currentTarget.value })}
              />
              <CodeField
                label={`${label}, ${mode === 'shell' ? 'commands' : 'text'}`}
                mode={mode}
                value={entry.text}
                minLines={1}
                marks={hasFailed ? marks : none}
                placeholder={mode === 'shell' ? 'Commands, one a line' : 'Text'}
                onChange={(text) => replace(index, { ...entry, text })}
              />
              {hasFailed && <span className="tone-bad list-entry-said">{failed.text}</span>}
              {mode === 'shell' && entry.text.trim() === '' && (
                <span className="faint">Without a command this {noun} is no part of the recipe.</span>
              )}
            </div>
            <EntryButtons
              index={index}
              count={value.length}
              label={label}
              onMove={(to) => onChange(moved(value, index, to))}
              onRemove={() => onChange(value.filter((_, at) => at !== index))}
            />
          </div>
        );
      })}
      <div>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add {noun}
        </Button>
      </div>
    </div>
  );
};
