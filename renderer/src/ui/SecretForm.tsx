// Takes one secret: a name, and a value that is not shown while it is typed and forgotten as soon as it is handed over.
import { Button, FileButton, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { formatBytes } from './format.ts';

interface SecretFormProps {
  /** A name that is fixed: the value of this one is replaced or set. */
  name?: string | undefined;
  isBusy: boolean;
  /** Answers whether it was taken; what was typed stays while it was not. */
  onSave: (name: string, value: string) => Promise<boolean>;
  onCancel: () => void;
}

const largest = 65_536;
const shortestMasked = 4;
const shortestSearched = 8;

/** Says what is wrong with the name of a secret, or null. The host checks again. */
export const secretNameProblem = (name: string): string | null => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'Use letters, digits and _, and begin with a letter or _.';
  return name.startsWith('SANDLOT_') ? 'Names that begin with SANDLOT_ are used by the sandbox itself.' : null;
};

/** What a person should know of a value before it is kept; null when nothing is special. */
export const valueNote = (value: string): { text: string; isProblem: boolean } | null => {
  if (value === '') return null;
  const bytes = new TextEncoder().encode(value).length;
  if (bytes > largest) return { text: `${formatBytes(bytes)}: a secret may have 64 KiB.`, isProblem: true };
  if (value.length < shortestMasked) {
    return { text: 'Fewer than 4 characters: it will not be masked in output, since it would hit every second word.', isProblem: false };
  }
  if (value.trim().length >= shortestSearched) return null;
  return { text: 'Fewer than 8 characters: images are not searched for it, since it turns up by chance.', isProblem: false };
};

/** The form. */
export const SecretForm = ({ name: fixed, isBusy, onSave, onCancel }: SecretFormProps) => {
  const [typedName, setName] = useState('');
  const [value, setValue] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const name = fixed ?? typedName;
  const nameProblem = name === '' ? null : secretNameProblem(name);
  const note = valueNote(value);
  const canSave = name !== '' && value !== '' && nameProblem === null && note?.isProblem !== true;

  const takeFile = async (chosen: File | null) => {
    if (chosen === null) return;
    setFile(chosen);
    setValue((await chosen.text()).replace(/\r?\n$/, ''));
  };
  const type = (typed: string) => {
    setFile(null);
    setValue(typed);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (canSave && (await onSave(name, value))) type('');
  };

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {fixed === undefined && (
        <TextInput
          label="Name"
          description="The variable that sessions find it in."
          placeholder="DATABASE_URL"
          classNames={{ input: 'mono' }}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typedName}
          error={nameProblem}
          onChange={(event) => setName(event.currentTarget.value.trim())}
        />
      )}
      <PasswordInput
        size="xs"
        label="Value"
        description={
          file === null
            ? 'Kept encrypted. Nobody can read it here again, you neither.'
            : `Taken from ${file.name}, ${formatBytes(file.size)}.`
        }
        {...(fixed !== undefined && { 'data-autofocus': true })}
        autoComplete="new-password"
        spellCheck={false}
        value={value}
        error={note?.isProblem === true ? note.text : null}
        onChange={(event) => type(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      />
      {note?.isProblem === false && <div className="tone-warn">{note.text}</div>}
      <div className="row">
        <FileButton onChange={(chosen) => void takeFile(chosen)}>
          {(props) => (
            <Button variant="subtle" color="gray" {...props}>
              Take it from a file…
            </Button>
          )}
        </FileButton>
        <span className="grow" />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={!canSave}>
          {fixed === undefined ? 'Add secret' : 'Set value'}
        </Button>
      </div>
    </form>
  );
};
