// The secrets of this data folder: add, replace, delete, and see who got them.
import { Button, Modal } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Secret, SecretList } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { type Secrets, useSecrets } from '../store/use-secrets.ts';
import { Banner } from '../ui/Banner.tsx';
import { confirmTyped } from '../ui/confirm-typed.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { SecretForm } from '../ui/SecretForm.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { GiveTo } from './GiveTo.tsx';
import { LedgerPanel } from './LedgerPanel.tsx';
import { SecretTable } from './SecretTable.tsx';
import { setWords } from './set-words.ts';
import { type Gift, useGiveSecret } from './use-give-secret.ts';

const protections: Record<NonNullable<SecretList['key']>, string> = {
  key_file: 'Encrypted on this machine, with a key in a file that only you can read. They are in no image and no log.',
  keychain: 'Encrypted on this machine, with a key in your keychain. They are in no image and no log.',
};

const toNobody: Gift = { ids: [], form: 'variable' };

const NothingYet = ({ onAdd }: { onAdd: () => void }) => (
  <Empty
    icon={<IconKey size={20} />}
    title="No secrets yet"
    actions={
      <Button leftSection={<IconPlus size={14} />} onClick={onAdd}>
        Add secret
      </Button>
    }
  >
    A token, a password, a private key: what sandboxes need and nobody should read. It is kept encrypted, given as a variable or as a file
    in memory to the sessions of the environments that you choose, and masked in everything that Sandlot stores. A new value needs no new
    build.
  </Empty>
);

const Broken = ({ problem, onReset }: { problem: ErrorBody; onReset: () => void }) => (
  <Banner
    tone="bad"
    title={problem.message}
    next={problem.next_action}
    actions={
      problem.code === 'secrets_damaged' && (
        <Button variant="default" color="red" onClick={onReset}>
          Begin without secrets…
        </Button>
      )
    }
  />
);

/** What can be done, each with its question before and its word after. */
const useDeeds = (lookAgain: Secrets['lookAgain']) => {
  const ask = useAsk();
  const { run, isBusy } = useBusy('The secret was not changed');
  const give = useGiveSecret();
  /** `gift`: environments that get it with this. */
  const set = async (name: string, value: string, gift: Gift) => {
    const saved = await run(ask('secrets.set', { name, value }));
    if (saved === null) return false;
    const given = await give(name, gift);
    const others = given.filter(({ id }) => !saved.environments.some((one) => one.id === id));
    notifyDone(setWords(name, { had: saved.environments, given: others, isReplaced: saved.version > 1 }));
    return true;
  };
  const remove = ({ name, environments }: Secret) =>
    confirmTyped({
      title: `Delete ${name}?`,
      word: name,
      confirm: 'Delete secret',
      body: (
        <>
          <span>Its value is gone for good. What runs in sessions now keeps it until that ends.</span>
          {environments.length > 0 && (
            <span>
              No new session starts in {environments.map((one) => one.name).join(', ')} until it is set again or no longer named there.
            </span>
          )}
        </>
      ),
      onConfirm: () => void run(ask('secrets.delete', { name })).then((done) => done !== null && notifyDone(`${name} is deleted.`)),
    });
  const reset = () =>
    confirmTyped({
      title: 'Begin without secrets?',
      word: 'begin anew',
      confirm: 'Keep the file aside',
      body: 'The damaged file is kept under another name beside it. Each secret has to be set again.',
      onConfirm: () => void run(ask('secrets.reset', {})).then(lookAgain),
    });
  return { set, remove, reset, isBusy };
};

interface ContentsProps {
  list: SecretList | null;
  onSet: (name: string) => void;
  onDelete: (secret: Secret) => void;
}

const Contents = ({ list, onSet, onDelete }: ContentsProps) => {
  if (list === null) {
    return <Loading what="secrets" />;
  }
  const needed = list.missing.length;
  return (
    <>
      {needed > 0 && (
        <Banner
          tone="warn"
          title={needed === 1 ? 'One secret is named by an environment, but not set.' : `${needed} secrets are named, but not set.`}
          next={`No session starts there until ${needed === 1 ? 'it is' : 'they are'} set here, or no longer named there.`}
        />
      )}
      {list.secrets.length + needed === 0 ? (
        <NothingYet onAdd={() => onSet('')} />
      ) : (
        <Panel title="Secrets" note={list.key && protections[list.key]} isFlush>
          <SecretTable list={list} onReplace={onSet} onDelete={onDelete} />
        </Panel>
      )}
      <LedgerPanel />
    </>
  );
};

/** The page. */
export const SecretsPage = () => {
  const { list, problem, lookAgain } = useSecrets();
  const { set, remove, reset, isBusy } = useDeeds(lookAgain);
  // '' adds one, a name replaces its value.
  const [target, setTarget] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Gift>(toNobody);
  const isEmpty = problem === null && list !== null && list.secrets.length + list.missing.length === 0;
  const close = () => {
    setTarget(null);
    setChosen(toNobody);
  };

  return (
    <Page
      title="Secrets"
      actions={
        !isEmpty && (
          <Button leftSection={<IconPlus size={14} />} disabled={problem !== null} onClick={() => setTarget('')}>
            Add secret
          </Button>
        )
      }
    >
      <div className="stack">
        {problem ? <Broken problem={problem} onReset={reset} /> : <Contents list={list} onSet={setTarget} onDelete={remove} />}
      </div>
      <Modal opened={target !== null} onClose={close} title={target ? `Value of ${target}` : 'Add a secret'}>
        <SecretForm
          name={target === '' || target === null ? undefined : target}
          known={list?.secrets.map(({ name }) => name) ?? []}
          isBusy={isBusy}
          onCancel={close}
          onSave={async (name, value) => {
            const isSaved = await set(name, value, chosen);
            if (isSaved) close();
            return isSaved;
          }}
        >
          {target === '' && <GiveTo value={chosen} onChange={setChosen} />}
        </SecretForm>
      </Modal>
    </Page>
  );
};
