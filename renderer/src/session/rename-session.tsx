// Asks for another name of a session.
import { TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import type { Ask } from '../store/store.ts';
import { NameFormEnd } from '../ui/NameFormEnd.tsx';
import { useBusy } from '../ui/use-busy.ts';

interface NameFormProps {
  session: Session;
  ask: Ask;
  onDone: () => void;
}

const NameForm = ({ session, ask, onDone }: NameFormProps) => {
  const { run, isBusy } = useBusy('The session keeps its name');
  const [name, setName] = useState(session.name);
  const save = async () => {
    if ((await run(ask('sessions.rename', { session_id: session.id, name: name.trim() }))) !== null) onDone();
  };
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput label="Name" data-autofocus maxLength={256} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <NameFormEnd name={name} confirm="Rename session" isBusy={isBusy} onCancel={onDone} />
    </form>
  );
};

/** Opens the dialog. */
export const renameSession = (session: Session, ask: Ask): void => {
  const id = modals.open({
    title: `Rename “${session.name}”`,
    children: <NameForm session={session} ask={ask} onDone={() => modals.close(id)} />,
  });
};
