// The command palette: go anywhere, launch anything, without the mouse.
import { useMantineColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconBox, IconCpu, IconHome, IconMoon, IconPlayerPlay, IconPlus, IconSearch, IconTerminal2 } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useAsk } from '../store/actions.ts';
import { isLive, recentEnvironments, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useBusy } from '../ui/use-busy.ts';

const size = { size: 16, stroke: 1.7 };

const useActions = (): SpotlightActionGroupData[] => {
  const [, go] = useLocation();
  const ask = useAsk();
  const { run } = useBusy('The session did not start');
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const environments = useStored((state) => recentEnvironments(state, 100));
  const sessions = useStored((state) => sessionsInOrder(state).filter(isLive));

  const launch = async (environmentId: string) => {
    const session = await run(ask('sessions.launch', { environment_id: environmentId }));
    if (session) go(`/sessions/${session.id}`);
  };
  const page = (id: string, label: string, href: string, leftSection: SpotlightActionData['leftSection']): SpotlightActionData => ({
    id,
    label,
    leftSection,
    onClick: () => go(href),
  });

  return [
    {
      group: 'Do',
      actions: [
        page('new', 'New environment', '/environments/new', <IconPlus {...size} />),
        ...environments
          .filter((environment) => environment.setup_verification.can_start_sessions)
          .map((environment) => ({
            id: `launch-${environment.id}`,
            label: `Launch ${environment.name}`,
            leftSection: <IconPlayerPlay {...size} />,
            onClick: () => void launch(environment.id),
          })),
        ...(['light', 'dark', 'auto'] as const)
          .filter((scheme) => scheme !== colorScheme)
          .map((scheme) => ({
            id: `scheme-${scheme}`,
            label: scheme === 'auto' ? 'Look: follow the system' : `Look: ${scheme}`,
            leftSection: <IconMoon {...size} />,
            onClick: () => setColorScheme(scheme),
          })),
      ],
    },
    {
      group: 'Go to',
      actions: [
        page('home', 'Home', '/', <IconHome {...size} />),
        page('environments', 'Environments', '/environments', <IconBox {...size} />),
        page('sessions', 'Sessions', '/sessions', <IconTerminal2 {...size} />),
        page('runtimes', 'Runtimes', '/runtimes', <IconCpu {...size} />),
      ],
    },
    {
      group: 'Running sessions',
      actions: sessions.map((session) => ({
        ...page(session.id, session.name, `/sessions/${session.id}`, <IconTerminal2 {...size} />),
        description: session.environment_name,
      })),
    },
    {
      group: 'Environments',
      actions: environments.map((environment) => ({
        ...page(environment.id, environment.name, `/environments/${environment.id}`, <IconBox {...size} />),
        description: environment.description || environment.recipe.base,
        keywords: [environment.id],
      })),
    },
  ];
};

/** Opens with Ctrl/Cmd+K, and with Ctrl/Cmd+Shift+P from anywhere; a terminal keeps Ctrl+K for its shell. */
export const Palette = () => {
  const actions = useActions();
  useHotkeys([['mod+shift+P', () => spotlight.open()]], []);
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K']}
      highlightQuery
      scrollable
      maxHeight={420}
      limit={40}
      nothingFound="Nothing by that name."
      searchProps={{ leftSection: <IconSearch size={16} />, placeholder: 'Search or do…', 'aria-label': 'Search or do' }}
    />
  );
};
