// A new agent: a name, what it is for, and its first environment.
import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useBusy } from '../ui/use-busy.ts';
import { EnvironmentSelect } from './EnvironmentSelect.tsx';

interface AgentFormProps {
  onMade: (agent: AgentView) => void;
  onCancel: () => void;
}

/** The form. */
export const AgentForm = ({ onMade, onCancel }: AgentFormProps) => {
  const ask = useAsk();
  const { run, isBusy } = useBusy('The agent was not made');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [environment, setEnvironment] = useState<string | null>(null);
  const make = async (event: FormEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), description, environment_ids: environment === null ? [] : [environment] };
    const made = await run(ask('agents.create', { body }));
    if (made) onMade(made);
  };
  return (
    <form className="stack-tight" onSubmit={(event) => void make(event)}>
      <TextInput
        label="Name"
        data-autofocus
        maxLength={256}
        placeholder="builder"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        placeholder="What it is for"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <EnvironmentSelect
        label="First environment"
        description="Its default. Attach more on its page; with none it runs on the default base, without network."
        taken={[]}
        value={environment}
        onChange={setEnvironment}
      />
      <div className="row" style={{ justifyContent: 'flex-end', gap: 8, marginTop: 8 }}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
          Create agent
        </Button>
      </div>
    </form>
  );
};
