// What can be done with an environment from any of its tabs.

import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconEye, IconHammer, IconTemplate, IconTrash } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { agentsOf } from '../store/select.ts';
import { useAppStore, useStored } from '../store/store.ts';
import { useBuild } from '../store/use-build.ts';
import { useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { askDeleteEnvironment } from '../ui/ask-delete-environment.tsx';
import { askObservedSession } from '../ui/ask-observe.ts';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { launchNoteId } from '../ui/LaunchNote.tsx';
import { notifyUndo } from '../ui/notify.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { buildLabel } from './build-label.ts';
import { saveTemplate } from './save-template.tsx';

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
  const building = useBusy('The build did not start', 'The build is being started…');
  const build = useBuild(building.run);
  const buildOnly = () => void build(environment, {});
  const buildAnew = () => void build(environment, { pin: true, no_cache: true });
  const duplicate = async () => {
    const copy = await run(ask('environments.duplicate', { ...byId, name: `${environment.name} copy` }));
    if (copy) go(`/environments/${copy.id}`);
  };
  const bringBack = async () => await run(ask('environments.unarchive', byId));
  const archive = async () => {
    if (await run(ask('environments.archive', byId)))
      notifyUndo(`“${environment.name}” is archived. Its sessions keep running.`, () => void bringBack());
  };
  const { state } = useAppStore();
  const remove = () => ask('environments.delete', byId);
  const askToRemove = () =>
    askDeleteEnvironment(environment, { agents: agentsOf(state.getState(), environment.id), remove, onRemoved: () => go('/environments') });
  const isArchived = environment.archived_at !== null;
  usePageDeeds([
    { label: 'Build only, do not pin', run: buildOnly },
    { label: 'Build from scratch and pin', run: buildAnew },
    onObserve !== undefined && { label: 'Launch observed…', run: onObserve },
    { label: 'Duplicate this environment', run: () => void duplicate() },
    { label: 'Save as template…', run: () => saveTemplate(environment, ask) },
    isArchived
      ? { label: 'Bring back from archive', run: () => void bringBack() }
      : { label: 'Archive this environment', run: () => void archive() },
    { label: 'Delete this environment…', run: askToRemove },
  ]);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label="More for this environment">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={buildOnly}>
          Build only, do not pin
        </Menu.Item>
        <Menu.Item leftSection={<IconHammer size={14} />} onClick={buildAnew}>
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
          onClick={() => void (isArchived ? bringBack() : archive())}
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

interface EnvironmentActionsProps {
  environment: EnvironmentView;
  /** Why it cannot be launched now, which the page says; null when it can. */
  obstacle: string | null;
}

/** Build and pin, launch, and the rest in a menu. */
export const EnvironmentActions = ({ environment, obstacle }: EnvironmentActionsProps) => {
  const building = useBusy('The build did not start');
  const launching = useBusy('The session did not start');
  const launch = useLaunch(launching.run, askAgreement);
  const build = useBuild(building.run);
  const isDirty = useStored((state) => state.drafts[environment.id] !== undefined);
  // One button of a page stands out; while there are edits it is the one that saves them.
  const needsBuild = environment.image.state !== 'active';
  const canObserve = obstacle === null && !environment.privileged;
  usePageDeeds([
    environment.active_build_id === null && {
      label: isDirty ? 'Save, build and pin' : 'Build and pin',
      run: () => void build(environment),
    },
    obstacle === null && { label: 'Launch', run: () => void launch(environment.id) },
  ]);
  const observe = () => askObservedSession(() => void launch(environment.id, { observe: true }));
  return (
    <div className="row" style={{ gap: 6, flexShrink: 0 }}>
      <Button
        variant={needsBuild && !isDirty ? 'filled' : 'default'}
        loading={building.isBusy}
        disabled={environment.active_build_id !== null}
        leftSection={<IconHammer size={14} />}
        onClick={() => void build(environment)}
      >
        {environment.active_build_id === null ? buildLabel(isDirty) : 'Building…'}
      </Button>
      <LaunchButton
        name={environment.name}
        obstacle={obstacle}
        saidAt={launchNoteId}
        isBusy={launching.isBusy}
        variant={needsBuild || isDirty ? 'default' : 'filled'}
        onLaunch={() => void launch(environment.id)}
      />
      <MoreMenu environment={environment} onObserve={canObserve ? observe : undefined} />
    </div>
  );
};
