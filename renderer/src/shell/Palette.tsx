// The command palette: go anywhere, launch or build anything, without the mouse.

import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import {
  IconBox,
  IconCpu,
  IconHammer,
  IconHistory,
  IconHome,
  IconKey,
  IconKeyboard,
  IconMoon,
  IconNetwork,
  IconPlayerPlay,
  IconPlus,
  IconRobot,
  IconSearch,
  IconSettings,
  IconStack2,
  IconTerminal2,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { isLive, recentEnvironments, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { showShortcuts } from './show-shortcuts.tsx';

const size = { size: 16, stroke: 1.7 };
/** Each environment has up to three entries; more of them would hide one kind behind another. */
const shownEnvironments = 8;

/** What the query asks for without the verb before it: "launch api" looks for "api". */
const subjectOf = (query: string): string =>
  query
    .trim()
    .toLowerCase()
    .replace(/^(?:launch|build|open|go to)\s+/, '');

const useEnvironments = (query: string): EnvironmentView[] => {
  const ask = useAsk();
  const subject = subjectOf(query);
  const [wanted] = useDebouncedValue(subject, 150);
  useEffect(() => {
    // Only the newest ones are here from the start; the host knows all.
    if (wanted.length < 2) return;
    void ask('environments.list', { search: wanted, limit: shownEnvironments * 2 }).then(
      (reply) => reply.ok || notifyFailure('Environments could not be searched', reply.error),
    );
  }, [ask, wanted]);
  return useStored((state) =>
    recentEnvironments(state, Number.POSITIVE_INFINITY)
      .filter(({ name, id }) => subject === '' || name.toLowerCase().includes(subject) || id.includes(subject))
      .slice(0, shownEnvironments),
  );
};

const useLooks = (): SpotlightActionData[] => {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  return (['light', 'dark', 'auto'] as const)
    .filter((scheme) => scheme !== colorScheme)
    .map((scheme) => ({
      id: `scheme-${scheme}`,
      label: scheme === 'auto' ? 'Look: follow the system' : `Look: ${scheme}`,
      keywords: ['theme', 'color scheme'],
      leftSection: <IconMoon {...size} />,
      onClick: () => setColorScheme(scheme),
    }));
};

const useEnvironmentActions = (environments: readonly EnvironmentView[]): SpotlightActionGroupData[] => {
  const [, go] = useLocation();
  const ask = useAsk();
  const runtimes = useStored((state) => state.runtimes);
  const launching = useBusy('The session did not start');
  const building = useBusy('The build did not start');
  const launch = useLaunch(launching.run, askAgreement);
  const build = async (id: string) => {
    if (await building.run(ask('builds.start', { environment_id: id, pin: true }))) go(`/environments/${id}/builds`);
  };
  return [
    {
      group: 'Environments',
      actions: environments.map(({ id, name, description, recipe }) => ({
        id,
        label: name,
        description: description || recipe.base,
        keywords: [id, `open ${name}`],
        leftSection: <IconBox {...size} />,
        onClick: () => go(`/environments/${id}`),
      })),
    },
    {
      group: 'Launch',
      actions: environments
        .filter((environment) => launchObstacle(environment, runtimes) === null)
        .map(({ id, name }) => ({
          id: `launch-${id}`,
          label: `Launch ${name}`,
          keywords: [id],
          leftSection: <IconPlayerPlay {...size} />,
          onClick: () => void launch(id),
        })),
    },
    {
      group: 'Build',
      actions: environments
        .filter((environment) => environment.active_build_id === null)
        .map(({ id, name }) => ({
          id: `build-${id}`,
          label: `Build ${name}`,
          description: 'Pinned when it passes its boot test',
          keywords: [id],
          leftSection: <IconHammer {...size} />,
          onClick: () => void build(id),
        })),
    },
  ];
};

const useActions = (query: string): SpotlightActionGroupData[] => {
  const [, go] = useLocation();
  const looks = useLooks();
  const ofEnvironments = useEnvironmentActions(useEnvironments(query));
  const sessions = useStored((state) => sessionsInOrder(state).filter(isLive));
  const page = (id: string, label: string, href: string, leftSection: SpotlightActionData['leftSection']): SpotlightActionData => ({
    id,
    label,
    leftSection,
    onClick: () => go(href),
  });
  return [
    {
      group: 'Go to',
      actions: [
        page('new', 'New environment', '/environments/new', <IconPlus {...size} />),
        page('home', 'Home', '/', <IconHome {...size} />),
        page('environments', 'All environments', '/environments', <IconBox {...size} />),
        page('sessions', 'Sessions', '/sessions', <IconTerminal2 {...size} />),
        page('network', 'Network: what sandboxes try to reach', '/network', <IconNetwork {...size} />),
        page('agents', 'Agents', '/agents', <IconRobot {...size} />),
        page('secrets', 'Secrets', '/secrets', <IconKey {...size} />),
        page('images', 'Images', '/images', <IconStack2 {...size} />),
        page('activity', 'Activity log', '/activity', <IconHistory {...size} />),
        page('runtimes', 'Runtimes', '/runtimes', <IconCpu {...size} />),
        page('settings', 'Settings', '/settings', <IconSettings {...size} />),
      ],
    },
    {
      group: 'Running sessions',
      actions: sessions.map((session) => ({
        ...page(session.id, session.name, `/sessions/${session.id}`, <IconTerminal2 {...size} />),
        description: session.environment_name,
      })),
    },
    ...ofEnvironments,
    {
      group: 'Window',
      actions: [
        ...looks,
        { id: 'shortcuts', label: 'Keyboard shortcuts', leftSection: <IconKeyboard {...size} />, onClick: showShortcuts },
      ],
    },
  ];
};

/** Opens with Ctrl/Cmd+K, and with Ctrl/Cmd+Shift+P from anywhere; a terminal keeps Ctrl+K for its shell. */
export const Palette = () => {
  const [query, setQuery] = useState('');
  const actions = useActions(query);
  useHotkeys([['mod+shift+P', () => spotlight.open()]], []);
  useHotkeys([['shift+?', showShortcuts]]);
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      highlightQuery
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      limit={60}
      nothingFound="Nothing by that name."
      searchProps={{ leftSection: <IconSearch size={16} />, placeholder: 'Search or do…', 'aria-label': 'Search or do' }}
    />
  );
};
