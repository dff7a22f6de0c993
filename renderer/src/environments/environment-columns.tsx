// The columns of the table of environments, and what can be done from a row.
import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconHammer, IconTrash } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { agentsOf, hasFailedBuild } from '../store/select.ts';
import { useAppStore, useStored } from '../store/store.ts';
import { useBuild } from '../store/use-build.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { Ago } from '../ui/Ago.tsx';
import { askAgreement } from '../ui/agree-folders.tsx';
import { askDeleteEnvironment } from '../ui/ask-delete-environment.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { idTail } from '../ui/format.ts';
import { Later } from '../ui/Later.tsx';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { notifyUndo } from '../ui/notify.tsx';
import type { RowFocus, RowListColumn, RowPart } from '../ui/RowList.tsx';
import { resourceText } from '../ui/resource-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { FailedSince, ImageBadge, Verdict } from '../ui/Verdict.tsx';

interface CellProps {
  environment: EnvironmentView;
  part: RowPart;
}

const RowMenu = ({ environment, part }: CellProps) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { run } = useBusy(`“${environment.name}” was not changed`);
  const byId = { environment_id: environment.id };

  const duplicate = async () => {
    const copy = await run(ask('environments.duplicate', { ...byId, name: `${environment.name} copy` }));
    if (copy) go(`/environments/${copy.id}`);
  };
  const building = useBusy('The build did not start', 'The build is being started…');
  const build = useBuild(building.run);
  const isDirty = useStored((state) => state.drafts[environment.id] !== undefined);
  const archive = async () => {
    if (await run(ask('environments.archive', byId)))
      notifyUndo(`“${environment.name}” is archived. Its sessions keep running.`, () => void run(ask('environments.unarchive', byId)));
  };
  const { state } = useAppStore();
  const remove = () =>
    askDeleteEnvironment(environment, {
      agents: agentsOf(state.getState(), environment.id),
      remove: () => ask('environments.delete', byId),
    });

  return (
    <Menu>
      <Menu.Target>
        <ActionIcon {...part} aria-label={`More for ${environment.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={() => void build(environment)}>
          {isDirty ? 'Save, build and pin' : 'Build and pin'}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => void duplicate()}>
          Duplicate
        </Menu.Item>
        {environment.archived_at === null ? (
          <Menu.Item leftSection={<IconArchive size={14} />} onClick={() => void archive()}>
            Archive
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconArchiveOff size={14} />} onClick={() => void run(ask('environments.unarchive', byId))}>
            Bring back from archive
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={remove}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const Name = ({ environment, focus }: { environment: EnvironmentView; focus: RowFocus }) => (
  <>
    <div className="row">
      <Link href={`/environments/${environment.id}`} className="row-name clip" {...focus}>
        {environment.name}
      </Link>
      {environment.archived_at !== null && <span className="tag">Archived</span>}
    </div>
    <div className="faint clip">{environment.description || environment.recipe.base}</div>
  </>
);

const SetupCell = ({ environment: { id, image, setup_verification: verification }, part }: CellProps) => {
  const hasFailed = useStored((state) => hasFailedBuild(state, id));
  return <Verdict verification={verification} isMuted={hasFailed && image.state !== 'active'} environmentId={id} isStacked focus={part} />;
};

/** The pinned image, and whether a build failed since; where there is none because the last build failed, that. */
const ImageCell = ({ environment: { id, image } }: { environment: EnvironmentView }) => {
  const hasFailed = useStored((state) => hasFailedBuild(state, id));
  return (
    <>
      <ImageBadge image={image} hasFailed={hasFailed} />
      <div className="clip">
        <FailedSince image={image} hasFailed={hasFailed} />
      </div>
    </>
  );
};

const Deeds = ({ environment, part }: CellProps) => {
  const runtimes = useStored((state) => state.runtimes);
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  return (
    <div className="row env-deeds">
      <LaunchButton
        name={environment.name}
        obstacle={launchObstacle(environment, runtimes)}
        isBusy={isBusy}
        variant="default"
        focus={part}
        onLaunch={() => void launch(environment.id)}
      />
      <RowMenu environment={environment} part={part} />
    </div>
  );
};

/** The columns. */
export const environmentColumns: readonly RowListColumn<EnvironmentView>[] = [
  { name: 'Name', cell: (environment, focus) => <Name environment={environment} focus={focus} /> },
  { name: 'ID', isExtra: true, cell: ({ id }, _focus, part) => <CopyText value={id} shown={idTail(id)} label="id" focus={part} /> },
  { name: 'Resources', cell: ({ resources }) => <span className="dim">{resourceText(resources)}</span> },
  { name: 'Setup', cell: (environment, _focus, part) => <SetupCell environment={environment} part={part} /> },
  { name: 'Image', cell: (environment) => <ImageCell environment={environment} /> },
  {
    name: 'Updated',
    isExtra: true,
    cell: ({ updated_at: at }) => (
      <span className="dim">
        <Ago at={at} />
      </span>
    ),
  },
  {
    name: 'Actions',
    isNameHidden: true,
    isWhole: true,
    cell: (environment, _focus, part) => (
      <Later>
        <Deeds environment={environment} part={part} />
      </Later>
    ),
  },
];
