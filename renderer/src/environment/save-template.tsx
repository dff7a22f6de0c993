// Asks under which name an environment is kept as a template.
import { TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Ask } from '../store/store.ts';
import { NameFormEnd } from '../ui/NameFormEnd.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

interface TemplateFormProps {
  environment: EnvironmentView;
  ask: Ask;
  onDone: () => void;
}

const TemplateForm = ({ environment, ask, onDone }: TemplateFormProps) => {
  const { run, isBusy } = useBusy('The template was not saved');
  const [name, setName] = useState(environment.name);
  const [summary, setSummary] = useState(environment.description);
  const save = async () => {
    const saved = await run(ask('templates.save', { environment_id: environment.id, name: name.trim(), summary }));
    if (saved === null) return;
    notifyDone(`“${saved.name}” is among your own templates when you make an environment.`, {
      label: 'Use it',
      href: `/environments/new?template=${saved.id}`,
    });
    onDone();
  };
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <span className="dim">
        All of this environment as it is saved now. Secrets go along by name, their values never do; its runtime, metadata and agents stay
        here.
      </span>
      <TextInput label="Name" data-autofocus maxLength={256} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <TextInput
        label="Summary"
        maxLength={500}
        placeholder="One line about it"
        value={summary}
        onChange={(event) => setSummary(event.currentTarget.value)}
      />
      <NameFormEnd name={name} confirm="Save template" isBusy={isBusy} onCancel={onDone} />
    </form>
  );
};

/** Opens the dialog. */
export const saveTemplate = (environment: EnvironmentView, ask: Ask): void => {
  const id = modals.open({
    title: 'Save as template',
    children: <TemplateForm environment={environment} ask={ask} onDone={() => modals.close(id)} />,
  });
};
