// The dialog before what cannot be taken back and would be missed: the name of it has to be typed.
import { Button, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, type ReactNode, useState } from 'react';

interface Question {
  title: string;
  body: ReactNode;
  /** What has to be typed. */
  word: string;
  /** The verb of the deed: "Delete secret". */
  confirm: string;
  onConfirm: () => void;
}

/** What stands in the dialog. */
export const TypedQuestion = ({ body, word, confirm, onConfirm, onClose }: Omit<Question, 'title'> & { onClose: () => void }) => {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== word) return;
    onClose();
    onConfirm();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="stack-tight">{body}</div>
      <TextInput
        label={
          <>
            Type <code className="mono">{word}</code> to confirm
          </>
        }
        aria-label={`Type ${word} to confirm`}
        classNames={{ input: 'mono' }}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="row">
        <span className="grow" />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red.8" disabled={typed !== word}>
          {confirm}
        </Button>
      </div>
    </form>
  );
};

/** Asks first, acts after. */
export const confirmTyped = ({ title, ...question }: Question): void => {
  const id = modals.open({
    title,
    children: <TypedQuestion {...question} onClose={() => modals.close(id)} />,
  });
};
