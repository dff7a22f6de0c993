// What the command palette offers: the page that is shown, every page, sessions, environments and what can be done with them.
import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconArrowRight,
  IconBolt,
  IconBox,
  IconCpu,
  IconDatabase,
  IconHammer,
  IconHistory,
  IconHome,
  IconKey,
  IconNetwork,
  IconPlayerPlay,
  IconPlus,
  IconRobot,
  IconSettings,
  IconStack2,
  IconTerminal2,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { isLive, liveSessions, recentEnvironments, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useBuild } from '../store/use-build.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { askAgreement } from '../ui/agree-folders.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { type PageDeed, useDeedsOfPage } from '../ui/page-deeds.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { useAgentActions } from './palette-agents.tsx';
import { notNow } from './palette-order.ts';
import { useWindowActions } from './palette-window.tsx';

const size = { size: 16, stroke: 1.7 };
/** Each environment has up to three entries; more of them would hide one kind behind another. */
const shownEnvironments = 8;
const shownSessions = 12;
/** What is not shown is not looked for. */
const none: never[] = [];

/** What the query asks for without the verb before it: "launch api" looks for "api". */
const subjectOf = (query: string): string =>
  query
    .trim()
    .toLowerCase()
    .replace(/^(?:launch|build|open|go to)\s+/, '');

const verbs = ['launch', 'build', 'open', 'go to'];

/** Only a verb, or its beginning, has been typed: then it is about any of them. */
const isVerb = (query: string): boolean => {
  const typed = query.trim().toLowerCase();
  return typed !== '' && verbs.some((verb) => verb.startsWith(typed));
};

const useEnvironments = (query: string, isOpen: boolean): EnvironmentView[] => {
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
  return useStored((state) => {
    if (!isOpen) return none;
    const all = recentEnvironments(state);
    const named = all.filter(({ name, id }) => subject === '' || name.toLowerCase().includes(subject) || id.includes(subject));
    return (named.length === 0 && isVerb(query) ? all : named).slice(0, shownEnvironments);
  });
};

/** Those that live; others when they are looked for. */
const useSessions = (query: string, isOpen: boolean): Session[] => {
  const subject = subjectOf(query);
  return useStored((state) => {
    if (!isOpen) return none;
    if (subject === '') return liveSessions(state).slice(0, shownSessions);
    return sessionsInOrder(state)
      .filter(({ name, environment_name, id }) => `${name} ${environment_name} ${id}`.toLowerCase().includes(subject))
      .slice(0, shownSessions);
  });
};

const useEnvironmentActions = (environments: readonly EnvironmentView[], isNamed: boolean): SpotlightActionGroupData[] => {
  const [, go] = useLocation();
  const runtimes = useStored((state) => state.runtimes);
  const launching = useBusy('The session did not start', 'The session is being started…');
  const building = useBusy('The build did not start', 'The build is being started…');
  const launch = useLaunch(launching.run, askAgreement);
  const build = useBuild(building.run);
  const drafts = useStored((state) => state.drafts);
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
      actions: environments.flatMap((environment) => {
        const { id, name } = environment;
        const obstacle = launchObstacle(environment, runtimes);
        // Whoever asks for it by name is told why not, and led to where that is mended.
        if (obstacle !== null && !isNamed) return [];
        return {
          id: `launch-${id}`,
          label: `Launch ${name}`,
          keywords: [id],
          leftSection: <IconPlayerPlay {...size} />,
          ...(obstacle === null
            ? { onClick: () => void launch(id) }
            : { description: notNow(obstacle), onClick: () => go(`/environments/${id}`) }),
        };
      }),
    },
    {
      group: 'Build',
      actions: environments
        .filter((environment) => environment.active_build_id === null)
        .map((environment) => ({
          id: `build-${environment.id}`,
          label: `Build ${environment.name}`,
          description: `${drafts[environment.id] === undefined ? '' : 'Its edits are saved first. '}Pinned when it passes its boot test`,
          keywords: [environment.id],
          leftSection: <IconHammer {...size} />,
          onClick: () => void build(environment),
        })),
    },
  ];
};

const toDeed = ({ label, isPart, run }: PageDeed): SpotlightActionData => ({
  id: `here-${label}`,
  label,
  leftSection: isPart ? <IconArrowRight {...size} /> : <IconBolt {...size} />,
  onClick: run,
});

/** The groups of the palette. While it is closed nothing is looked for. */
export const usePaletteActions = (query: string, isOpen: boolean): SpotlightActionGroupData[] => {
  const [, go] = useLocation();
  const ofWindow = useWindowActions();
  const ofEnvironments = useEnvironmentActions(useEnvironments(query, isOpen), subjectOf(query) !== '' && !isVerb(query));
  const sessions = useSessions(query, isOpen);
  const deeds = useDeedsOfPage();
  const agents = useAgentActions(subjectOf(query), isOpen);
  const page = (
    id: string,
    label: string,
    href: string,
    leftSection: SpotlightActionData['leftSection'],
    keywords: string[] = [],
  ): SpotlightActionData => ({ id, label, leftSection, keywords, onClick: () => go(href) });
  const ofPage = [
    { group: 'On this page', actions: deeds.filter(({ isPart }) => !isPart).map(toDeed) },
    { group: 'Parts of this page', actions: deeds.filter(({ isPart }) => isPart).map(toDeed) },
    {
      group: 'Go to',
      actions: [
        page('new', 'New environment', '/environments/new', <IconPlus {...size} />),
        page('home', 'Home', '/', <IconHome {...size} />),
        page('environments', 'Environments', '/environments', <IconBox {...size} />, ['all environments']),
        page('sessions', 'Sessions', '/sessions', <IconTerminal2 {...size} />),
        page('agents', 'Agents', '/agents', <IconRobot {...size} />),
        page('network', 'Network', '/network', <IconNetwork {...size} />, [
          'what sandboxes try to reach',
          'rules',
          'monitor',
          'blocked',
          'egress',
        ]),
        page('secrets', 'Secrets', '/secrets', <IconKey {...size} />),
        page('images', 'Images', '/images', <IconStack2 {...size} />),
        page('storage', 'Storage', '/storage', <IconDatabase {...size} />, [
          'what is on disk, and what can go',
          'prune',
          'space',
          'left-overs',
        ]),
        page('activity', 'Activity log', '/activity', <IconHistory {...size} />),
        page('runtimes', 'Runtimes', '/runtimes', <IconCpu {...size} />, ['docker', 'podman', 'doctor']),
        page('settings', 'Settings', '/settings', <IconSettings {...size} />),
      ],
    },
  ];
  const recent = [
    {
      group: 'Sessions',
      actions: sessions.map((session) => ({
        ...page(session.id, session.name, `/sessions/${session.id}`, <IconTerminal2 {...size} />),
        description: isLive(session) ? session.environment_name : `${session.environment_name} · ${session.status}`,
      })),
    },
    ...ofEnvironments,
    agents,
  ];
  return [
    // Before anything is typed, what was used last is the likeliest.
    ...(query.trim() === '' ? [...recent, ...ofPage] : [...ofPage, ...recent]),
    { group: 'Window', actions: ofWindow },
  ];
};
