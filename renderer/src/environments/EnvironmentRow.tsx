// biome-ignore-all lint/a11y/useSemanticElements: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// biome-ignore-all lint/a11y/useFocusableInteractive: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus

import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconHammer, IconTrash } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { Ago } from '../ui/Ago.tsx';
import { askAgreement } from '../ui/agree-folders.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { confirm } from '../ui/confirm.tsx';
import { shortId } from '../ui/format.ts';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { resourceText } from '../ui/resource-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { ImageBadge, Verdict } from '../ui/Verdict.tsx';

const RowMenu = ({ environment }: { environment: EnvironmentView }) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { run } = useBusy(`“${environment.name}” was not changed`);
  const byId = { environment_id: environment.id };

  const duplicate = async () => {
    const copy = await run(ask('environments.duplicate', { ...byId, name: `${environment.name} copy` }));
    if (copy) go(`/environments/${copy.id}`);
  };
  const build = async () => {
    if (await run(ask('builds.start', { ...byId, pin: true }))) go(`/environments/${environment.id}/builds`);
  };
  const archive = async () => {
    if (await run(ask('environments.archive', byId))) notifyDone(`“${environment.name}” is archived. Its sessions keep running.`);
  };
  const remove = () =>
    confirm({
      title: `Delete “${environment.name}” for good?`,
      body: 'Its recipe, setup script, builds and pins are removed. Running sessions keep their sandbox, and the history of past sessions stays. This cannot be undone; archive it instead to only hide it.',
      confirm: 'Delete environment',
      isDangerous: true,
      onConfirm: () => void run(ask('environments.delete', byId)),
    });

  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`More for ${environment.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={() => void build()}>
          Build and pin
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

/** One line of the table, at its place in the scrolled room. */
export const EnvironmentRow = ({ id, index, top }: { id: string; index: number; top: number }) => {
  const environment = useStored((state) => state.environments[id]);
  const runtimes = useStored((state) => state.runtimes);
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  if (!environment) return null;
  return (
    <div className="env-row is-item" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      <div role="cell">
        <div className="row">
          <Link href={`/environments/${id}`} className="env-name clip">
            {environment.name}
          </Link>
          {environment.archived_at !== null && <span className="tag">Archived</span>}
        </div>
        <div className="faint clip">{environment.description || environment.recipe.base}</div>
      </div>
      <div role="cell" className="dim">
        <CopyText value={id} shown={shortId(id)} label="id" />
      </div>
      <div role="cell" className="clip dim">
        {resourceText(environment.resources)}
      </div>
      <div role="cell">
        <Verdict verification={environment.setup_verification} />
      </div>
      <div role="cell">
        <ImageBadge image={environment.image} />
      </div>
      <div role="cell" className="dim clip env-updated">
        <Ago at={environment.updated_at} />
      </div>
      <div role="cell" className="row" style={{ justifyContent: 'flex-end', gap: 4 }}>
        <LaunchButton
          name={environment.name}
          obstacle={launchObstacle(environment, runtimes)}
          isBusy={isBusy}
          variant="default"
          onLaunch={() => void launch(id)}
        />
        <RowMenu environment={environment} />
      </div>
    </div>
  );
};
