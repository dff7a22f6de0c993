// What the menu of the tray holds: which sessions run, what can be launched at once, and the two ways to quit.
import type { MenuItemConstructorOptions } from 'electron';
import type { EnvironmentView, Session } from '../../sandbox-engine/contract/model.ts';
import { counted } from '../../sandbox-engine/index.ts';

export interface TrayActions {
  open: (route: string) => void;
  launch: (environmentId: string) => void;
  quit: (stopSessions: boolean) => void;
}

/** What the tray shows. */
export interface TrayNews {
  sessions: readonly Session[];
  environments: readonly EnvironmentView[];
}

const separator: MenuItemConstructorOptions = { type: 'separator' };
const shownSessions = 10;
const shownEnvironments = 8;

/** A label as it is: an ampersand would mark a key. */
const plain = (text: string): string => text.replaceAll('&', '&&');

/** The running sessions, the newest first. */
const runningSessions = (sessions: readonly Session[]): Session[] =>
  sessions.filter(({ status }) => status === 'running').sort((a, b) => b.created_at.localeCompare(a.created_at));

/** Environments that can be launched now, those that were used last first. */
const launchable = ({ sessions, environments }: TrayNews): EnvironmentView[] => {
  const usedAt = ({ id, updated_at }: EnvironmentView): string =>
    [updated_at, ...sessions.filter(({ environment_id }) => environment_id === id).map(({ created_at }) => created_at)].sort().at(-1) ?? '';
  return environments
    .filter(({ archived_at, setup_verification }) => archived_at === null && setup_verification.can_start_sessions)
    .sort((a, b) => usedAt(b).localeCompare(usedAt(a)))
    .slice(0, shownEnvironments);
};

const sessionItems = (running: readonly Session[], { open }: TrayActions): MenuItemConstructorOptions[] => {
  const items = running.slice(0, shownSessions).map(({ id, name, environment_name }) => ({
    label: plain(`${name} (${environment_name})`),
    click: () => open(`/sessions/${id}`),
  }));
  const more = running.length - items.length;
  if (items.length === 0) return [{ label: 'No session is running', enabled: false }];
  return more === 0 ? items : [...items, { label: `${more} more…`, click: () => open('/sessions') }];
};

const launchItems = (environments: readonly EnvironmentView[], { open, launch }: TrayActions): MenuItemConstructorOptions[] => [
  ...environments.map(({ id, name }) => ({ label: plain(name), click: () => launch(id) })),
  ...(environments.length === 0 ? [] : [separator]),
  { label: 'New environment…', click: () => open('/environments/new') },
];

/** The entries of the tray's menu. */
export const trayItems = (news: TrayNews, actions: TrayActions): MenuItemConstructorOptions[] => {
  const running = runningSessions(news.sessions);
  return [
    { label: 'Open Sandlot', click: () => actions.open('/') },
    separator,
    ...sessionItems(running, actions),
    separator,
    { label: 'Launch', submenu: launchItems(launchable(news), actions) },
    separator,
    { label: running.length === 0 ? 'Quit' : 'Quit, keep sessions running', click: () => actions.quit(false) },
    ...(running.length === 0 ? [] : [{ label: 'Stop all sessions and quit', click: () => actions.quit(true) }]),
  ];
};

/** What the icon says when one points at it. */
export const trayTip = (sessions: readonly Session[]): string => {
  const count = runningSessions(sessions).length;
  if (count === 0) return 'Sandlot';
  return `Sandlot: ${counted(count, 'session runs', 'sessions run')}`;
};
