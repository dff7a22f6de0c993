// Which repository sessions of this environment begin with, and how it is fetched.
import { NumberInput, Switch, TextInput } from '@mantine/core';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { Panel } from '../ui/Panel.tsx';

type Repo = NonNullable<EnvironmentView['repo']>;

const defaultPath = '/workspace/repo';

const withText = (repo: Repo, key: 'branch' | 'path', text: string): Repo => {
  const { [key]: _before, ...others } = repo;
  return text === '' ? ({ ...others, ...(key === 'path' && { path: defaultPath }) } as Repo) : ({ ...others, [key]: text } as Repo);
};

const withDepth = ({ depth: _before, ...others }: Repo, depth: unknown): Repo =>
  typeof depth === 'number' && depth > 0 ? { ...others, depth } : others;

const RepoFields = ({ repo, put }: { repo: Repo; put: (repo: Repo) => void }) => {
  const isFolder = repo.source.startsWith('/');
  return (
    <>
      <div className="field-grid">
        <TextInput
          label="Branch"
          placeholder={isFolder ? 'What the folder has now' : 'The default branch'}
          value={repo.branch ?? ''}
          onChange={(event) => put(withText(repo, 'branch', event.currentTarget.value))}
        />
        <NumberInput
          label="Depth"
          placeholder="All commits"
          min={1}
          allowDecimal={false}
          disabled={isFolder}
          value={repo.depth ?? ''}
          onChange={(depth) => put(withDepth(repo, depth))}
        />
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
          disabled={isFolder}
          checked={repo.submodules}
          onChange={(event) => put({ ...repo, submodules: event.currentTarget.checked })}
        />
        <Switch label="Large files (LFS)" checked={repo.lfs} onChange={(event) => put({ ...repo, lfs: event.currentTarget.checked })} />
      </div>
    </>
  );
};

/** The panel. Without a source there is no repository. */
export const RepositoryPanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const repo = patch.repo === undefined ? environment.repo : (patch.repo as Repo | null);
  const isClosed = 'rules' in (patch.network_policy ?? environment.network_policy);
  const putSource = (source: string) => {
    const rest = repo ?? { submodules: false, lfs: false, path: defaultPath };
    edit({ repo: source === '' ? null : { ...rest, source } });
  };
  return (
    <Panel title="Repository" note="Brought in at the start of each session.">
      <div className="stack" style={{ gap: 12 }}>
        <TextInput
          label="Source"
          description="owner/name on GitHub, a URL, or an absolute folder of this machine, which is copied as it is."
          placeholder="None"
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
