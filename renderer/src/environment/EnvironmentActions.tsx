// What can be done with an environment from any of its tabs.

import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconEye, IconHammer, IconTemplate, IconTrash } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { askObservedSession } from '../ui/ask-observe.ts';
import { confirm } from '../ui/confirm.tsx';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { saveTemplate } from './save-template.tsx';

const deleteText =
  'Its recipe, setup script, builds and pins are removed. Running sessions keep their sandbox, and the history of past sessions stays. This cannot be undone; archive it instead to only hide it.';

interface MoreMenuProps {
  environment: EnvironmentView;
  /** Absent: it cannot be launched observed now. */
  onObserve: (() => void) | undefined;
}

const MoreMenu = ({ environment, onObserve }: MoreMenuProps) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { run } = useBusy(`“${environment.name}” was not changed`);
  const byId = { environment_id: environment.id };
  const build = async (options: { pin?: boolean; no_cache?: boolean }) => {
    if (await run(ask('builds.start', { ...byId, ...options }))) go(`/environments/${environment.id}/builds`);
  };
  const duplicate = async () => {
    const copy = await run(ask('environments.duplicate', { ...byId, name: `${environment.name} copy` }));
    if (copy) go(`/environments/${copy.id}`);
  };
  const remove = async () => {
    if (await run(ask('environments.delete', byId))) go('/environments');
  };
  const askToRemove = () =>
    confirm({
      title: `Delete “${environment.name}” for good?`,
      body: deleteText,
      confirm: 'Delete environment',
      isDangerous: true,
      onConfirm: () => void remove(),
    });
  const isArchived = environment.archived_at !== null;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label="More for this environment">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={() => void build({})}>
          Build only, do not pin
        </Menu.Item>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={() => void build({ pin: true, no_cache: true })}>
          Build from scratch and pin
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconEye size={14} />} disabled={onObserve === undefined} onClick={onObserve}>
          Launch observed…
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => void duplicate()}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconTemplate size={14} />} onClick={() => saveTemplate(environment, ask)}>
          Save as template…
        </Menu.Item>
        <Menu.Item
          leftSection={isArchived ? <IconArchiveOff size={14} /> : <IconArchive size={14} />}
          onClick={() => void run(ask(isArchived ? 'environments.unarchive' : 'environments.archive', byId))}
        >
          {isArchived ? 'Bring back from archive' : 'Archive'}
        </Menu.Item>
        <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={askToRemove}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Build and pin, launch, and the rest in a menu. */
export const EnvironmentActions = ({ environment }: { environment: EnvironmentView }) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const runtimes = useStored((state) => state.runtimes);
  const building = useBusy('The build did not start');
  const launching = useBusy('The session did not start');
  const launch = useLaunch(launching.run, askAgreement);
  const build = async () => {
    const started = await building.run(ask('builds.start', { environment_id: environment.id, pin: true }));
    if (started) go(`/environments/${environment.id}/builds`);
  };
  const needsBuild = environment.image.state !== 'active';
  const obstacle = launchObstacle(environment, runtimes);
  const canObserve = obstacle === null && !environment.privileged;
  const observe = () => askObservedSession(() => void launch(environment.id, { observe: true }));
  return (
    <div className="row" style={{ gap: 6, flexShrink: 0 }}>
      <Button
        variant={needsBuild ? 'filled' : 'default'}
        loading={building.isBusy}
        disabled={environment.active_build_id !== null}
        leftSection={<IconHammer size={14} />}
        onClick={() => void build()}
      >
        {environment.active_build_id === null ? 'Build & pin' : 'Building…'}
      </Button>
      <LaunchButton
        name={environment.name}
        obstacle={obstacle}
        isBusy={launching.isBusy}
        variant={needsBuild ? 'default' : 'filled'}
        onLaunch={() => void launch(environment.id)}
      />
      <MoreMenu environment={environment} onObserve={canObserve ? observe : undefined} />
    </div>
  );
};
