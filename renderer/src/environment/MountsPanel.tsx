// Folders of this machine that sandboxes see. The agreement to them is asked for at the first launch.
import { ActionIcon, Button, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { Panel } from '../ui/Panel.tsx';

type Mount = EnvironmentView['mounts'][number];

type Repo = NonNullable<EnvironmentView['repo']>;

/** What sessions get of this machine without a shared folder; null without a repository that is a folder of it. */
const broughtWords = (repo: Repo | null): string | null => {
  if (!repo?.source.startsWith('/')) return null;
  const what = repo.mode === 'worktree' ? 'the commits of' : 'a copy of';
  return `Each session is given ${what} ${repo.source} when it starts, because that is its repository (Overview). Its changes stay in the session.`;
};

const pathProblem = (path: string): string | null => (path === '' || path.startsWith('/') ? null : 'Begin with /.');

interface MountRowProps {
  mount: Mount;
  number: number;
  put: (mount: Mount) => void;
  remove: () => void;
}

const MountRow = ({ mount, number, put, remove }: MountRowProps) => (
  <div className="mount-row">
    <TextInput
      classNames={{ input: 'mono' }}
      aria-label={`Folder ${number} of this machine`}
      placeholder="/home/me/data"
      value={mount.source}
      error={pathProblem(mount.source)}
      onChange={(event) => put({ ...mount, source: event.currentTarget.value })}
    />
    <TextInput
      classNames={{ input: 'mono' }}
      aria-label={`Place of folder ${number} in the sandbox`}
      placeholder="/data"
      value={mount.target}
      error={pathProblem(mount.target)}
      onChange={(event) => put({ ...mount, target: event.currentTarget.value })}
    />
    <Switch label="Read only" checked={mount.read_only} onChange={(event) => put({ ...mount, read_only: event.currentTarget.checked })} />
    <ActionIcon aria-label={`Remove folder ${number}`} onClick={remove}>
      <IconTrash size={14} />
    </ActionIcon>
  </div>
);

/** The panel. */
export const MountsPanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const mounts = (patch.mounts ?? environment.mounts) as Mount[];
  const brought = broughtWords(patch.repo === undefined ? environment.repo : (patch.repo as Repo | null));
  const put = (next: Mount[]) => edit({ mounts: next });
  return (
    <Panel title="Folders of this machine">
      <div className="stack-tight">
        <span className="dim">
          {mounts.length > 0
            ? 'Sessions see these folders as they are. You are asked to agree at the first launch, and again when one of them changes.'
            : brought === null
              ? 'None. Sessions see nothing of this machine.'
              : 'None is shared with sessions.'}
        </span>
        {brought !== null && (
          <span className="dim" style={{ overflowWrap: 'anywhere' }}>
            {brought}
          </span>
        )}
        {mounts.map((mount, index) => (
          <MountRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            key={index}
            number={index + 1}
            mount={mount}
            put={(next) => put(mounts.map((known, at) => (at === index ? next : known)))}
            remove={() => put(mounts.filter((_, at) => at !== index))}
          />
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => put([...mounts, { source: '', target: '', read_only: true }])}
          >
            Add folder
          </Button>
        </div>
      </div>
    </Panel>
  );
};
