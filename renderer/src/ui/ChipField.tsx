// A list of short texts as chips, each with what is wrong with it. Enter, comma, blank or leaving the field adds; Backspace in the empty
// field takes the last one back for editing; a chip that is pressed is edited.
import './chips.css';
import { Pill, PillsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react';

export interface ChipProblem {
  message: string;
  /** What to write instead. */
  suggestion?: string | undefined;
  isWarning?: boolean;
}

interface ChipFieldProps {
  label: string;
  /** What a screen reader calls the field, where the label says less. */
  name?: string;
  placeholder?: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  problems: ReadonlyMap<number, ChipProblem>;
  isDisabled?: boolean;
}

const separators = /[\s,;]+/;

const split = (text: string): string[] => text.split(separators).filter((part) => part !== '');

/** The field. */
export const ChipField = ({ label, name = label, placeholder, value, onChange, problems, isDisabled = false }: ChipFieldProps) => {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const problemsId = useId();
  const add = (typed: string) => {
    const parts = split(typed).filter((part) => !value.includes(part));
    if (parts.length > 0) onChange([...value, ...parts]);
    setText('');
  };
  const remove = (index: number) => {
    onChange(value.filter((_, at) => at !== index));
    field.current?.focus();
  };
  const takeBack = (index: number) => {
    // What is being typed is not lost for it.
    const others = value.filter((_, at) => at !== index);
    onChange([...others, ...split(text).filter((part) => !others.includes(part))]);
    setText(value[index] ?? '');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'Enter' || event.key === ',' || event.key === ' ') && text.trim() !== '') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      event.preventDefault();
      takeBack(value.length - 1);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (split(pasted).length < 2) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };
  const listed = [...problems].filter(([index]) => index < value.length);
  const hasErrors = listed.some(([, { isWarning }]) => !isWarning);
  return (
    <div className="chip-field">
      <PillsInput size="xs" label={label} error={hasErrors} disabled={isDisabled}>
        <Pill.Group>
          {value.map((entry, index) => {
            const problem = problems.get(index);
            const state = problem === undefined ? '' : problem.isWarning ? ' is-warn' : ' is-bad';
            return (
              <Pill
                key={entry}
                className={`chip mono${state}`}
                withRemoveButton={!isDisabled}
                onRemove={() => remove(index)}
                removeButtonProps={{ 'aria-label': `Remove ${entry}`, tabIndex: 0, 'aria-hidden': false }}
              >
                <button type="button" className="text-button chip-text" aria-label={`Edit ${entry}`} onClick={() => takeBack(index)}>
                  {entry}
                </button>
              </Pill>
            );
          })}
          <PillsInput.Field
            ref={field}
            aria-label={name}
            aria-invalid={hasErrors}
            aria-describedby={listed.length > 0 ? problemsId : undefined}
            placeholder={value.length === 0 ? placeholder : undefined}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => text.trim() !== '' && add(text)}
          />
        </Pill.Group>
      </PillsInput>
      <ul className="chip-problems" id={problemsId}>
        {listed.map(([index, { message, suggestion, isWarning }]) => (
          <li key={`${index} ${message}`} className={isWarning ? 'tone-warn' : 'tone-bad'}>
            {message}
            {suggestion !== undefined && (
              <button
                type="button"
                className="text-button link"
                onClick={() => onChange(value.map((entry, at) => (at === index ? suggestion : entry)))}
              >
                Write {suggestion}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
};
