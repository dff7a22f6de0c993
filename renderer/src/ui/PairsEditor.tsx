// A table of names and values, for variables and metadata.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Fragment, useEffect, useRef, useState } from 'react';

interface PairsEditorProps {
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
  /** What one pair is: "variable". */
  noun: string;
  /** Says what is wrong with a name, or null. */
  checkName?: (name: string) => string | null;
}

type Pair = [string, string];

const sameRecord = (a: Record<string, string>, b: Record<string, string>) => JSON.stringify(a) === JSON.stringify(b);
const toRecord = (pairs: readonly Pair[]) => Object.fromEntries(pairs.filter(([name]) => name !== ''));

/** The table. Rows without a name are kept here while they are typed and are not part of the value. */
export const PairsEditor = ({ value, onChange, noun, checkName }: PairsEditorProps) => {
  const [pairs, setPairs] = useState<Pair[]>(() => Object.entries(value));
  const shown = useRef(value);

  useEffect(() => {
    // An edit that came from elsewhere (YAML, discard) replaces the rows; our own echo does not.
    if (!sameRecord(value, toRecord(pairs)) && !sameRecord(value, shown.current)) setPairs(Object.entries(value));
    shown.current = value;
  }, [value, pairs]);

  const put = (next: Pair[]) => {
    setPairs(next);
    const record = toRecord(next);
    if (!sameRecord(record, toRecord(pairs))) onChange(record);
  };
  const replace = (index: number, pair: Pair) => put(pairs.map((known, at) => (at === index ? pair : known)));
  const problem = (name: string, index: number) => {
    if (name !== '' && pairs.some(([other], at) => at < index && other === name)) return 'This name is used above.';
    return name === '' ? null : (checkName?.(name) ?? null);
  };

  return (
    <div className="stack-tight">
      <div className="pairs">
        {pairs.map(([name, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          <Fragment key={index}>
            <TextInput
              classNames={{ input: 'mono' }}
              aria-label={`Name of ${noun} ${index + 1}`}
              placeholder="NAME"
              value={name}
              error={problem(name, index)}
              onChange={(event) => replace(index, [event.currentTarget.value, text])}
            />
            <TextInput
              classNames={{ input: 'mono' }}
              aria-label={`Value of ${name || `${noun} ${index + 1}`}`}
              placeholder="value"
              value={text}
              onChange={(event) => replace(index, [name, event.currentTarget.value])}
            />
            <ActionIcon aria-label={`Remove ${name || `${noun} ${index + 1}`}`} onClick={() => put(pairs.filter((_, at) => at !== index))}>
              <IconTrash size={14} />
            </ActionIcon>
          </Fragment>
        ))}
      </div>
      <div>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setPairs([...pairs, ['', '']])}>
          Add {noun}
        </Button>
      </div>
    </div>
  );
};
