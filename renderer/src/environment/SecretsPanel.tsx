// Which secrets the sessions of an environment get. Names are saved with the environment; values are kept elsewhere, at once.
import { ActionIcon, Button, Modal, Select, TagsInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SecretList } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { useSecrets } from '../store/use-secrets.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { Panel } from '../ui/Panel.tsx';
import { SecretForm, secretNameProblem } from '../ui/SecretForm.tsx';
import { useBusy } from '../ui/use-busy.ts';

type Form = 'variable' | 'file' | 'both';

const forms: readonly { value: Form; label: string }[] = [
  { value: 'variable', label: 'Variable' },
  { value: 'file', label: 'File' },
  { value: 'both', label: 'Both' },
];

interface NameRowProps {
  name: string;
  form: Form;
  onForm: (form: Form) => void;
  list: SecretList | null;
  onSet: () => void;
  onRemove: () => void;
}

const NameRow = ({ name, form, onForm, list, onSet, onRemove }: NameRowProps) => {
  const secret = list?.secrets.find((one) => one.name === name);
  const problem = secretNameProblem(name);
  return (
    <tr>
      <td className="mono clip" title={name}>
        {name}
        {form !== 'variable' && <div className="faint clip">/run/secrets/{name}</div>}
      </td>
      <td>
        <Select
          size="xs"
          aria-label={`How sessions get ${name}`}
          allowDeselect={false}
          data={forms}
          value={form}
          onChange={(value) => value !== null && onForm(value as Form)}
        />
      </td>
      <td>
        {problem !== null && <span className="tone-bad">{problem}</span>}
        {problem === null && secret && (
          <span className="dim">
            Set <Ago at={secret.updated_at} />
          </span>
        )}
        {problem === null && list !== null && !secret && <span className="tag is-bad">Not set</span>}
      </td>
      <td>
        <div className="row" style={{ justifyContent: 'flex-end', gap: 4 }}>
          {problem === null && (
            <Button size="compact-xs" variant="default" onClick={onSet}>
              {secret ? 'Replace…' : 'Set a value…'}
            </Button>
          )}
          <ActionIcon aria-label={`Give ${name} to sessions no more`} onClick={onRemove}>
            <IconTrash size={14} />
          </ActionIcon>
        </div>
      </td>
    </tr>
  );
};

/** The panel. */
export const SecretsPanel = ({ editing }: { editing: Editing }) => {
  const { list, problem, lookAgain } = useSecrets();
  const ask = useAsk();
  const { run, isBusy } = useBusy('The secret was not set');
  const [target, setTarget] = useState<string | null>(null);
  const close = () => setTarget(null);
  const variables = editing.patch.secrets ?? editing.environment.secrets;
  const files = editing.patch.secret_files ?? editing.environment.secret_files;
  const names = [...new Set([...variables, ...files])];
  const formOf = (name: string): Form => (files.includes(name) ? (variables.includes(name) ? 'both' : 'file') : 'variable');
  /** In their order; a name without a form is given no more. */
  const put = (form: (name: string) => Form | null, all: readonly string[] = names) =>
    editing.edit({
      secrets: all.filter((name) => form(name) === 'variable' || form(name) === 'both'),
      secret_files: all.filter((name) => form(name) === 'file' || form(name) === 'both'),
    });
  const known = list?.secrets.map(({ name }) => name) ?? [];
  const set = async (name: string, value: string) => {
    const saved = await run(ask('secrets.set', { name, value }));
    if (saved === null) return false;
    notifyDone(`${name} is set.`, { label: 'Secrets', href: '/secrets' });
    close();
    return true;
  };

  return (
    <Panel
      title="Secrets"
      note="For sessions alone: not for builds and setup runs"
      actions={
        <Link href="/secrets" className="link">
          All secrets
        </Link>
      }
    >
      <div className="stack-tight">
        {problem && <Banner tone="bad" title={problem.message} next={problem.next_action} />}
        {names.length > 0 && (
          <table className="grid-table is-fixed">
            <colgroup>
              <col />
              <col style={{ width: 124 }} />
              <col style={{ width: 128 }} />
              <col style={{ width: 152 }} />
            </colgroup>
            <tbody>
              {names.map((name) => (
                <NameRow
                  key={name}
                  name={name}
                  form={formOf(name)}
                  onForm={(form) => put((one) => (one === name ? form : formOf(one)))}
                  list={list}
                  onSet={() => setTarget(name)}
                  onRemove={() => put((one) => (one === name ? null : formOf(one)))}
                />
              ))}
            </tbody>
          </table>
        )}
        <TagsInput
          aria-label="Add a secret by name"
          description="Choose one that is set, or type a new name. A new value reaches files at once and variables with the next terminal; nothing is built again."
          inputWrapperOrder={['input', 'description']}
          classNames={{ input: 'mono' }}
          placeholder="Add: API_TOKEN, then Enter"
          splitChars={[',', ' ']}
          data={known.filter((name) => !names.includes(name))}
          value={[]}
          onChange={(added) => put(formOf, [...new Set([...names, ...added])])}
          onFocus={() => void lookAgain()}
        />
      </div>
      <Modal opened={target !== null} onClose={close} title={`Value of ${target ?? ''}`}>
        {target !== null && <SecretForm name={target} isBusy={isBusy} onSave={set} onCancel={close} />}
      </Modal>
    </Panel>
  );
};
