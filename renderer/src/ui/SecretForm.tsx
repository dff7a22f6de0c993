// Takes one secret: a name, and a value that is not shown while it is typed and forgotten as soon as it is handed over.
import { Button, FileButton, PasswordInput, TextInput } from '@mantine/core';
import { type ClipboardEvent, type FormEvent, type ReactNode, useState } from 'react';
import { counted, formatBytes } from './format.ts';

interface SecretFormProps {
  /** A name that is fixed: the value of this one is replaced or set. */
  name?: string | undefined;
  /** Those that are set: whose name is typed anew, its value is replaced. */
  known?: readonly string[];
  isBusy: boolean;
  /** Answers whether it was taken; what was typed stays while it was not. */
  onSave: (name: string, value: string) => Promise<boolean>;
  onCancel: () => void;
  /** What else is asked with it. */
  children?: ReactNode;
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

/** A value as it is typed, or whole from a file or a paste of several lines, which the field of one line cannot hold: it is not typed on then. */
const useValue = () => {
  const [value, setValue] = useState('');
  const [source, setSource] = useState<string | null>(null);
  const take = (text: string, from: string | null = null) => {
    setSource(from);
    setValue(text.replace(/\r?\n$/, ''));
  };
  const takeFile = async (chosen: File | null) => {
    if (chosen !== null) take(await chosen.text(), `Taken from ${chosen.name}, ${formatBytes(chosen.size)}.`);
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    const lines = text.trimEnd().split('\n').length;
    if (source !== null || lines < 2) return;
    event.preventDefault();
    take(text, `Pasted: ${counted(lines, 'line')}, kept as they are.`);
  };
  return { value, source, take, takeFile, paste };
};

type Value = ReturnType<typeof useValue>;

const ValueField = ({ given, isFirst }: { given: Value; isFirst: boolean }) => {
  const { value, source, take, paste } = given;
  const note = valueNote(value);
  return (
    <>
      <PasswordInput
        size="xs"
        label="Value"
        description={source ?? 'Kept encrypted. Nobody can read it here again, you neither.'}
        {...(isFirst && { 'data-autofocus': true })}
        autoComplete="new-password"
        spellCheck={false}
        readOnly={source !== null}
        value={value}
        error={note?.isProblem === true ? note.text : null}
        onPaste={paste}
        onChange={(event) => take(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      />
      {note?.isProblem === false && <div className="tone-warn">{note.text}</div>}
    </>
  );
};

const OtherWays = ({ given }: { given: Value }) => (
  <>
    <FileButton onChange={(chosen) => void given.takeFile(chosen)}>
      {(props) => (
        <Button variant="subtle" color="gray" {...props}>
          Take it from a file…
        </Button>
      )}
    </FileButton>
    {given.source !== null && (
      <Button variant="subtle" color="gray" onClick={() => given.take('')}>
        Type another
      </Button>
    )}
  </>
);

/** The form. */
export const SecretForm = ({ name: fixed, known = [], isBusy, onSave, onCancel, children }: SecretFormProps) => {
  const [typedName, setName] = useState('');
  const given = useValue();
  const { value, take } = given;
  const name = fixed ?? typedName;
  const nameProblem = name === '' ? null : secretNameProblem(name);
  const isKnown = known.includes(typedName);
  const canSave = name !== '' && value !== '' && nameProblem === null && valueNote(value)?.isProblem !== true;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (canSave && (await onSave(name, value))) take('');
  };

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {fixed === undefined && (
        <TextInput
          label="Name"
          description="The variable, or the file below /run/secrets, that sessions find it in."
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
      {isKnown && <div className="tone-warn">{name} is set already: its value is replaced by this one.</div>}
      <ValueField given={given} isFirst={fixed !== undefined} />
      {children}
      <div className="row">
        <OtherWays given={given} />
        <span className="grow" />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={!canSave}>
          {fixed === undefined && !isKnown ? 'Add secret' : 'Set value'}
        </Button>
      </div>
    </form>
  );
};
