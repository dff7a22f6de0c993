// Which secrets the sessions of an environment get. Names are saved with the environment; values are kept elsewhere, at once.
import { ActionIcon, Button, Modal, TagsInput } from '@mantine/core';
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

interface NameRowProps {
  name: string;
  list: SecretList | null;
  onSet: () => void;
  onRemove: () => void;
}

const NameRow = ({ name, list, onSet, onRemove }: NameRowProps) => {
  const secret = list?.secrets.find((one) => one.name === name);
  const problem = secretNameProblem(name);
  return (
    <tr>
      <td className="mono clip" title={name}>
        {name}
      </td>
      <td>
        {problem !== null && <span className="tone-bad">{problem}</span>}
        {problem === null && secret && (
          <span className="dim">
            set <Ago at={secret.updated_at} />
          </span>
        )}
        {problem === null && list !== null && !secret && <span className="tag is-bad">not set</span>}
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
  const names = editing.patch.secrets ?? editing.environment.secrets;
  const put = (secrets: string[]) => editing.edit({ secrets });
  const known = list?.secrets.map(({ name }) => name) ?? [];
  const set = async (name: string, value: string) => {
    const saved = await run(ask('secrets.set', { name, value }));
    if (saved === null) return false;
    notifyDone(`${name} is set.`);
    close();
    return true;
  };

  return (
    <Panel
      title="Secrets"
      note="given to sessions as variables, never to builds and setup runs"
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
            <tbody>
              {names.map((name) => (
                <NameRow
                  key={name}
                  name={name}
                  list={list}
                  onSet={() => setTarget(name)}
                  onRemove={() => put(names.filter((one) => one !== name))}
                />
              ))}
            </tbody>
          </table>
        )}
        <TagsInput
          aria-label="Add a secret by name"
          description="Choose one that is set, or type a new name. A new value reaches the next terminal or launch; nothing is built again."
          inputWrapperOrder={['input', 'description']}
          classNames={{ input: 'mono' }}
          placeholder="Add: API_TOKEN, then Enter"
          splitChars={[',', ' ']}
          data={known.filter((name) => !names.includes(name))}
          value={[]}
          onChange={(added) => put([...new Set([...names, ...added])])}
          onFocus={() => void lookAgain()}
        />
      </div>
      <Modal opened={target !== null} onClose={close} title={`Value of ${target ?? ''}`}>
        {target !== null && <SecretForm name={target} isBusy={isBusy} onSave={set} onCancel={close} />}
      </Modal>
    </Panel>
  );
};
