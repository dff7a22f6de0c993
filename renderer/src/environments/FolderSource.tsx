// A folder of this machine: whether it brings an environment file, which is then shown for review.
import { Button, TextInput } from '@mantine/core';
import { IconFolderSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useAsk } from '../store/actions.ts';
import { useAppStore } from '../store/store.ts';
import { ChooseFolder } from '../ui/ChooseFolder.tsx';
import { withRepo } from './use-offered-file.ts';

/** The field. Only the one file is read, and only when asked. */
export const FolderSource = ({ onFile }: { onFile: (text: string, name: string) => void }) => {
  const ask = useAsk();
  const { chooseFolder } = useAppStore();
  const [folder, setFolder] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const type = (text: string) => {
    setFolder(text);
    setProblem(null);
  };
  const look = async () => {
    const wanted = folder.trim().replace(/(.)\/+$/, '$1');
    if (!wanted.startsWith('/')) return setProblem('Give its whole path, from the first slash on.');
    setBusy(true);
    const reply = await ask('environments.find_file', { folder: wanted });
    setBusy(false);
    if (!reply.ok) return setProblem(reply.error.message);
    const { file } = reply.value;
    if (file === null) return setProblem('There is no .sandlot.yml in it.');
    setProblem(null);
    // A file that is called as all are tells nothing: its folder tells what it is about.
    onFile(withRepo(file.contents, wanted), `${wanted.split('/').at(-1)}/${file.name}`);
  };
  return (
    <div className="row" style={{ alignItems: 'flex-start', gap: 8 }}>
      <TextInput
        aria-label="Folder of this machine"
        className="grow"
        classNames={{ input: 'mono' }}
        placeholder="/home/me/project: a folder with a .sandlot.yml"
        value={folder}
        error={problem}
        rightSection={chooseFolder && <ChooseFolder label="Choose a folder of this machine" choose={chooseFolder} onFolder={type} />}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void look();
        }}
      />
      <Button variant="default" loading={isBusy} leftSection={<IconFolderSearch size={14} />} onClick={() => void look()}>
        Look in folder
      </Button>
    </div>
  );
};
