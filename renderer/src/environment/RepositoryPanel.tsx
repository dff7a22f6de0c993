// Which repository sessions of this environment begin with, and how it is fetched.
import { NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { useAppStore } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { ChooseFolder } from '../ui/ChooseFolder.tsx';
import { PairsEditor } from '../ui/PairsEditor.tsx';
import { Panel } from '../ui/Panel.tsx';
import { opensNothing } from './policy-edit.ts';

type Repo = NonNullable<EnvironmentView['repo']>;

const defaultPath = '/workspace/repo';

const withText = (repo: Repo, key: 'branch' | 'commit' | 'path', text: string): Repo => {
  const { [key]: _before, ...others } = repo;
  return text === '' ? ({ ...others, ...(key === 'path' && { path: defaultPath }) } as Repo) : ({ ...others, [key]: text } as Repo);
};

const withDepth = ({ depth: _before, ...others }: Repo, depth: unknown): Repo =>
  typeof depth === 'number' && depth > 0 ? { ...others, depth } : others;

/** The logins as they are edited: a host and the name of its secret. Other fields of a login stay with their host. */
const withLogins = ({ logins: before = [], ...others }: Repo, edited: Record<string, string>): Repo => {
  const logins = Object.entries(edited).map(([host, secret]) => ({ ...before.find((one) => one.host === host), host, secret }));
  return logins.length === 0 ? others : { ...others, logins };
};

const hostProblem = (host: string): string | null =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/.test(host) ? null : 'It must be a host in lower case, such as git.example.com.';

interface FieldsProps {
  repo: Repo;
  put: (repo: Repo) => void;
}

const FolderFields = ({ repo, put }: FieldsProps) => {
  const isWorktree = repo.mode === 'worktree';
  return (
    <>
      <div className="stack-tight">
        <SegmentedControl
          aria-label="How the folder is brought"
          style={{ alignSelf: 'flex-start' }}
          value={repo.mode ?? 'copy'}
          onChange={(mode) => put({ ...repo, mode: mode as 'copy' | 'worktree' })}
          data={[
            { value: 'copy', label: 'Copy of the folder' },
            { value: 'worktree', label: 'A branch of its own' },
          ]}
        />
        <span className="faint">
          {isWorktree
            ? 'Each session gets the commits on a new branch, nothing that is not committed. Its work comes back as a patch or a bundle.'
            : 'Each session gets the folder as it is now, with what is not committed.'}
        </span>
      </div>
      {!isWorktree && (
        <Switch
          label="Leave out what its .gitignore files name"
          checked={repo.leave_ignored ?? false}
          onChange={(event) => put({ ...repo, leave_ignored: event.currentTarget.checked })}
        />
      )}
    </>
  );
};

const LoginFields = ({ repo, put }: FieldsProps) => (
  <div className="stack-tight">
    <strong className="field-label">Logins</strong>
    <span className="faint">
      A host on the left, on the right the name of the secret with its token. It is used for that host over HTTPS and nowhere else. GitHub
      needs none: GITHUB_TOKEN is found by itself.
    </span>
    <PairsEditor
      noun="login"
      value={Object.fromEntries((repo.logins ?? []).map(({ host, secret }) => [host, secret]))}
      onChange={(edited) => put(withLogins(repo, edited))}
      checkName={hostProblem}
    />
  </div>
);

const RepoFields = ({ repo, put }: FieldsProps) => {
  const isFolder = repo.source.startsWith('/');
  return (
    <>
      {isFolder && <FolderFields repo={repo} put={put} />}
      <div className="field-grid">
        <TextInput
          label="Branch"
          placeholder={isFolder ? 'What the folder has now' : 'The default branch'}
          value={repo.branch ?? ''}
          onChange={(event) => put(withText(repo, 'branch', event.currentTarget.value))}
        />
        <TextInput
          label="Commit or tag"
          classNames={{ input: 'mono' }}
          placeholder="The newest"
          value={repo.commit ?? ''}
          onChange={(event) => put(withText(repo, 'commit', event.currentTarget.value))}
        />
        {!isFolder && (
          <NumberInput
            label="Depth"
            placeholder="All commits"
            min={1}
            allowDecimal={false}
            value={repo.depth ?? ''}
            onChange={(depth) => put(withDepth(repo, depth))}
          />
        )}
        <TextInput
          label="Path in the sandbox"
          classNames={{ input: 'mono' }}
          placeholder={defaultPath}
          value={repo.path === defaultPath ? '' : repo.path}
          error={repo.path.startsWith('/workspace') ? null : 'It must be /workspace or a folder below it.'}
          onChange={(event) => put(withText(repo, 'path', event.currentTarget.value))}
        />
      </div>
      <div className="row" style={{ gap: 20 }}>
        <Switch
          label="Submodules"
          disabled={isFolder && repo.mode !== 'worktree'}
          checked={repo.submodules}
          onChange={(event) => put({ ...repo, submodules: event.currentTarget.checked })}
        />
        <Switch label="Large files (LFS)" checked={repo.lfs} onChange={(event) => put({ ...repo, lfs: event.currentTarget.checked })} />
      </div>
      {!isFolder && <LoginFields repo={repo} put={put} />}
    </>
  );
};

/** The panel. Without a source there is no repository. */
export const RepositoryPanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const { chooseFolder } = useAppStore();
  const repo = patch.repo === undefined ? environment.repo : (patch.repo as Repo | null);
  const isClosed = opensNothing(patch.network_policy ?? environment.network_policy);
  const putSource = (source: string) => {
    const rest = repo ?? { submodules: false, lfs: false, path: defaultPath };
    edit({ repo: source === '' ? null : { ...rest, source } });
  };
  return (
    <Panel title="Repository" note="Brought in at the start of each session">
      <div className="stack" style={{ gap: 12 }}>
        <TextInput
          label="Source"
          description="owner/name on GitHub, a URL, or an absolute folder of this machine."
          placeholder="None"
          rightSection={
            chooseFolder && (
              <ChooseFolder label="Choose a folder of this machine as the source" choose={chooseFolder} onFolder={putSource} />
            )
          }
          value={repo?.source ?? ''}
          onChange={(event) => putSource(event.currentTarget.value)}
        />
        {repo && <RepoFields repo={repo} put={(next) => edit({ repo: next })} />}
        {repo && isClosed && !repo.source.startsWith('/') && (
          <Banner
            tone="warn"
            title="Without network this cannot be cloned."
            next="Sessions start, but without the repository. Open the network, or name a folder of this machine."
          />
        )}
      </div>
    </Panel>
  );
};
